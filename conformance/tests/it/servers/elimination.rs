//! Dynamic routing's counts are shared by all servers and survive them. (Specification 4.5; facts 13, L)

use std::sync::Arc;

use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use multirail_conformance::{Shop, TestServer};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::site::{Site, closed, moved};

async fn pays_with(shop: &Shop, card: &str) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(body).await.ok()["connector"].clone()
}

async fn pays(shop: &Shop) -> Value {
    pays_with(shop, APPROVED).await
}

/// Creates and enables a configuration.
async fn learns(shop: &Shop, operation: &str, config: Value) {
    let create = shop.call(operation).at("profile_id", &shop.profile_id);
    let create = create.query("enable", "dynamic_connector_selection");
    create.json(&config).await.ok();
}

/// Starts the first server and a shop with two processors.
async fn opened(site: &Site) -> (Arc<TestServer>, Shop) {
    let server = site.server("one").await;
    let shop = server.shop("bookshop").await;
    shop.connects("stripe_test", json!({})).await.ok();
    (server, shop)
}

/// Moves the shop to a server that replaces its own.
async fn restarted(site: &Site, server: Arc<TestServer>, shop: Shop) -> Shop {
    let (last, shop) = closed(shop);
    drop(server);
    last.stops().await.expect("it stops");
    shop.opens_at(site.server("one").await)
}

/// A processor fails five times within a minute. Then comes a new server, then a minute without failures.
async fn trace_l(site: Site, two: bool) {
    let (server, here) = opened(&site).await;
    let config = json!({
        "decision_engine_configs": { "threshold": 0.35 },
        "elimination_analyser_config": { "bucket_size": 5, "bucket_leak_interval_in_secs": 60 },
    });
    learns(&here, "dynamic_routing_elimination_create", config).await;
    let there = match two {
        true => moved(here.clone(), site.server("two").await).0,
        false => here.clone(),
    };
    for shop in [&here, &there, &here, &there, &here] {
        shop.next_call_meets(Call::Authorize, Fault::Throttles);
        assert_eq!(pays(shop).await, "fauxpay");
    }
    assert_eq!(pays(&here).await, "stripe_test");
    assert_eq!(pays(&there).await, "stripe_test");
    drop(there);
    let here = restarted(&site, server, here).await;
    assert_eq!(pays(&here).await, "stripe_test", "it was kept");
    here.time_passes(61).await;
    assert_eq!(pays(&here).await, "fauxpay", "a drop has leaked");
}

#[tokio::test]
async fn five_failures_at_two_servers_move_a_connector_at_both() {
    if let Some(site) = Site::on_postgres().await {
        trace_l(site, true).await;
    }
}

#[tokio::test]
async fn five_failures_outlive_a_server_that_is_alone() {
    trace_l(Site::on_sqlite(), false).await;
}

#[tokio::test]
async fn success_rates_are_those_of_all_servers() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let (server, here) = opened(&site).await;
    let config = json!({ "config": { "exploration_percent": 0 } });
    learns(&here, "dynamic_routing_success_based_create", config).await;
    let there = moved(here.clone(), site.server("two").await).0;
    assert_eq!(pays_with(&there, DECLINED).await, "fauxpay");
    assert_eq!(pays(&here).await, "stripe_test");
    let here = restarted(&site, server, here).await;
    assert_eq!(pays_with(&here, DECLINED).await, "stripe_test");
    for shop in [&here, &there] {
        assert_eq!(pays(shop).await, "stripe_test", "half against nothing");
    }
}
