//! The default order of accounts. (Facts 7.10, 10.2)

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{goes_to, routes_by, shop_with_three, single};

async fn order(shop: &Shop) -> Vec<String> {
    let listed = shop.call("routing_default_retrieve").await.ok();
    let listed = listed.as_array().expect("a list");
    let names = listed.iter().map(|one| one["connector"].as_str());
    names.map(|name| name.expect("a name").to_owned()).collect()
}

fn reorders(shop: &Shop, connectors: &[&str]) -> Call {
    let connectors: Vec<Value> = connectors
        .iter()
        .map(|name| json!({ "connector": name }))
        .collect();
    shop.call("routing_default_update")
        .json(&json!({ "connectors": connectors }))
}

#[tokio::test]
async fn the_merchant_says_in_which_order() {
    let shop = shop_with_three().await;
    assert_eq!(order(&shop).await, ["fauxpay", "stripe_test", "adyen_test"]);
    let answer = reorders(&shop, &["adyen_test", "fauxpay", "stripe_test"])
        .await
        .ok();
    assert_eq!(answer[0]["connector"], "adyen_test");
    assert_eq!(
        answer[1]["merchant_connector_id"],
        json!(shop.connector_account_id)
    );
    assert_eq!(goes_to(&shop, json!({})).await, "adyen_test");
    let all = shop.call("routing_default_list").await.ok();
    assert_eq!(
        all,
        json!([{ "profile_id": shop.profile_id, "connectors": answer }])
    );
    // The configuration's choice comes first, the other accounts follow in the default order.
    let euros = json!({ "payment_methods_enabled": [{
        "payment_method": "card", "accepted_currencies": { "type": "enable_only", "list": ["EUR"] },
    }] });
    shop.reconnects(euros).await.ok();
    routes_by(&shop, single("fauxpay")).await;
    assert_eq!(
        goes_to(&shop, json!({ "currency": "EUR" })).await,
        "fauxpay"
    );
    assert_eq!(
        goes_to(&shop, json!({ "currency": "USD" })).await,
        "adyen_test"
    );
}

#[tokio::test]
async fn only_an_order_of_the_listed_accounts() {
    let shop = shop_with_three().await;
    for list in [
        &["adyen_test"][..],
        &["adyen_test", "fauxpay", "fauxpay"],
        &["adyen_test", "fauxpay", "paypal_test"],
        &[],
    ] {
        let message = reorders(&shop, list).await.refused(400, "IR_16");
        assert!(message.contains("connectors"), "{message}");
    }
    shop.connects("fauxpay", json!({ "connector_label": "second" }))
        .await
        .ok();
    let message = reorders(&shop, &["adyen_test", "fauxpay", "stripe_test", "fauxpay"]).await;
    let message = message.refused(400, "IR_16");
    assert!(
        message.contains("connectors[1] needs a merchant_connector_id"),
        "{message}"
    );
    let elsewhere = shop
        .call("routing_default_update_of_profile")
        .at("profile_id", "pro_elsewhere");
    let body = json!({ "connectors": [] });
    elsewhere.json(&body).await.refused(404, "HE_02");
}

#[tokio::test]
async fn an_enabled_account_joins_at_the_end() {
    let shop = shop_with_three().await;
    let of_profile = shop
        .call("routing_default_update_of_profile")
        .at("profile_id", &shop.profile_id);
    let wanted = ["adyen_test", "fauxpay", "stripe_test"].map(|name| json!({ "connector": name }));
    let answer = of_profile.json(&json!({ "connectors": wanted })).await.ok();
    assert_eq!(answer["profile_id"], json!(shop.profile_id));
    shop.time_passes(1).await;
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(order(&shop).await, ["adyen_test", "stripe_test"]);
    shop.reconnects(json!({ "disabled": false })).await.ok();
    assert_eq!(order(&shop).await, ["adyen_test", "stripe_test", "fauxpay"]);
    shop.connects("paypal_test", json!({})).await.ok();
    assert_eq!(
        order(&shop).await,
        ["adyen_test", "stripe_test", "fauxpay", "paypal_test"]
    );
}
