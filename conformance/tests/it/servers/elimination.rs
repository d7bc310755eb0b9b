//! Elimination counts what happens at any of the servers. (Specification 4.5)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::site::{Site, moved};

async fn pays(shop: &Shop) -> Value {
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    shop.creates(body).await.ok()["connector"].clone()
}

#[tokio::test]
async fn five_failures_at_two_servers_move_a_connector_at_both() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here = site.server("one").await.shop("bookshop").await;
    here.connects("stripe_test", json!({})).await.ok();
    let config = json!({
        "decision_engine_configs": { "threshold": 0.35 },
        "elimination_analyser_config": { "bucket_size": 5, "bucket_leak_interval_in_secs": 60 },
    });
    let create = here.call("dynamic_routing_elimination_create");
    let create = create.at("profile_id", &here.profile_id);
    let create = create.query("enable", "dynamic_connector_selection");
    create.json(&config).await.ok();
    let (there, _) = moved(here.clone(), site.server("two").await);
    for shop in [&here, &there, &here, &there, &here] {
        shop.next_call_meets(Call::Authorize, Fault::Throttles);
        assert_eq!(pays(shop).await, "fauxpay");
    }
    assert_eq!(pays(&here).await, "stripe_test");
    assert_eq!(pays(&there).await, "stripe_test");
    here.time_passes(61).await;
    assert_eq!(pays(&here).await, "fauxpay", "a drop has leaked");
}
