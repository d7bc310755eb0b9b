//! Contract-based routing, the third kind of dynamic routing, isn't built, and the refusal says so.

use multirail_conformance::Shop;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn ordering_by_contracts_is_refused_by_its_name() {
    let shop = Shop::open().await;
    let profile = format!(
        "/account/{}/business_profile/{}/dynamic_routing",
        shop.merchant_id, shop.profile_id
    );
    let config = json!({ "config": { "constants": [0.7, 0.35] } });
    for (method, rest) in [
        (Method::POST, "contracts/create"),
        (
            Method::POST,
            "contracts/toggle?enable=dynamic_connector_selection",
        ),
        (Method::PATCH, "contracts/config/routing_1"),
    ] {
        let path = format!("{profile}/{rest}");
        let call = shop.wire.request(method, &path).key(&shop.api_key);
        let message = call.json(&config).await.refused(400, "IR_20");
        assert!(
            message.contains("ordering by contracts"),
            "{rest}: {message}"
        );
    }
    // Unknown kinds don't exist.
    let path = format!("{profile}/moon_phases/create");
    let call = shop.wire.request(Method::POST, &path).key(&shop.api_key);
    call.await.refused(404, "IR_02");
}
