//! Success-based routing: the account with the most recent approvals is tried first.

use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

fn on_profile(shop: &Shop, operation: &str) -> Call {
    shop.call(operation).at("profile_id", &shop.profile_id)
}

/// Blocks of one minute, five of which count, without exploration.
fn usual() -> Value {
    json!({ "config": {
        "max_aggregates_size": 5, "exploration_percent": 0, "current_block_threshold": { "duration_in_mins": 1 },
    } })
}

fn creates(shop: &Shop, body: &Value) -> Call {
    let call = on_profile(shop, "dynamic_routing_success_based_create");
    call.json(body)
}

fn toggles(shop: &Shop, enable: &str) -> Call {
    let call = on_profile(shop, "dynamic_routing_success_based_toggle");
    call.query("enable", enable)
}

/// Opens a shop with `fauxpay` before `stripe_test`.
pub async fn shop_with_two() -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop
}

/// Pays with this card; returns the connector.
pub async fn goes_to(shop: &Shop, card: &str) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(body).await.ok()["connector"].clone()
}

#[tokio::test]
async fn the_best_of_the_window_is_tried_first_and_the_attempt_says_so() {
    let shop = shop_with_two().await;
    let record = creates(&shop, &usual())
        .query("enable", "dynamic_connector_selection")
        .await
        .ok();
    assert_eq!(
        (&record["kind"], &record["name"]),
        (
            &json!("dynamic"),
            &json!("Success rate based dynamic routing algorithm")
        )
    );
    assert_eq!(
        goes_to(&shop, APPROVED).await,
        "fauxpay",
        "nothing is known"
    );
    assert_eq!(
        goes_to(&shop, DECLINED).await,
        "fauxpay",
        "all were approved"
    );
    assert_eq!(goes_to(&shop, APPROVED).await, "stripe_test", "half were");
    assert_eq!(goes_to(&shop, DECLINED).await, "stripe_test");
    // Both have a rate of one half now, so the order stays.
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let payment = shop.creates(body).await.ok();
    let read = shop.retrieves(&payment).query("expand_routing", true);
    let read = read.await.ok();
    let routing = &read["attempts"][0]["routing"];
    let rates = routing["candidates"].as_array().expect("candidates").iter();
    let rates =
        rates.map(|one| format!("{} {}", one["connector"], one["success_rate_basis_points"]));
    let rates: Vec<_> = rates.collect();
    assert_eq!(rates, [r#""fauxpay" 5000"#, r#""stripe_test" 5000"#]);
    assert_eq!(
        routing["dynamic"],
        json!({ "applies": true, "success_based_routing_id": record["id"] })
    );
    // A dry run gives the same result without paying.
    let trial = json!({ "amount": 6540, "currency": "USD" });
    let evaluated = shop.call("routing_evaluate").json(&trial).await.ok();
    assert_eq!(evaluated["connectors"][0]["connector"], "fauxpay");
    let first = &evaluated["routing"]["candidates"][0];
    assert_eq!(first["success_rate_basis_points"], 6667);
    // The window has passed: no rates are known, and the assumed ones are equal.
    for _ in 0..2 {
        goes_to(&shop, DECLINED).await;
    }
    assert_eq!(goes_to(&shop, APPROVED).await, "stripe_test");
    shop.time_passes(301).await;
    assert_eq!(goes_to(&shop, APPROVED).await, "fauxpay");
}

#[tokio::test]
async fn some_payments_explore_and_some_go_without() {
    let shop = shop_with_two().await;
    let all = with(usual(), json!({ "config": { "exploration_percent": 100 } }));
    let create = creates(&shop, &all).query("enable", "dynamic_connector_selection");
    create.await.ok();
    let evaluates = |draw: u32| {
        let trial = json!({ "amount": 6540, "currency": "USD", "draw": draw });
        shop.call("routing_evaluate").json(&trial)
    };
    let mut first = std::collections::BTreeSet::new();
    for draw in 0..20 {
        let evaluated = evaluates(draw).await.ok();
        let account = &evaluated["connectors"][0]["merchant_connector_id"];
        let dynamic = &evaluated["routing"]["dynamic"];
        assert_eq!(dynamic["explored_merchant_connector_id"], *account);
        first.insert(account.to_string());
    }
    assert_eq!(first.len(), 2, "each of them is tried");
    // With a split of 0, it decides no payments.
    let splits = |split: i64| {
        let call = on_profile(&shop, "dynamic_routing_set_volume_split");
        call.query("split", split)
    };
    let none = splits(0).await.ok();
    assert_eq!(none, json!({ "routing_type": "dynamic", "split": 0 }));
    assert_eq!(goes_to(&shop, APPROVED).await, "fauxpay");
    splits(50).await.ok();
    let mut applied = 0;
    for draw in 0..40 {
        let evaluated = evaluates(draw).await.ok();
        let applies = evaluated["routing"]["dynamic"]["applies"] == true;
        applied += i32::from(applies);
        if !applies {
            assert_eq!(evaluated["connectors"][0]["connector"], "fauxpay");
        }
    }
    assert!((8..32).contains(&applied), "{applied}");
    splits(101).await.refused(422, "IR_06");
    splits(-1).await.refused(422, "IR_06");
}

#[tokio::test]
async fn it_is_switched_and_changed() {
    let shop = shop_with_two().await;
    toggles(&shop, "none").await.refused(400, "IR_16");
    // A block that ends at midnight.
    let day = json!({ "config": {
        "exploration_percent": 0, "current_block_threshold": { "duration_in_mins": 1440 },
    } });
    let stored = creates(&shop, &day).await.ok();
    assert_eq!(goes_to(&shop, DECLINED).await, "fauxpay");
    assert_eq!(goes_to(&shop, DECLINED).await, "fauxpay", "it does nothing");
    let metrics = toggles(&shop, "metrics").await.ok();
    assert_eq!(metrics["id"], stored["id"]);
    assert_eq!(goes_to(&shop, DECLINED).await, "fauxpay");
    assert_eq!(goes_to(&shop, APPROVED).await, "fauxpay", "it only counts");
    let activate = shop.call("routing_activate");
    let activate = activate.at("routing_id", stored["id"].as_str().expect("an id"));
    activate.await.refused(400, "IR_16");
    toggles(&shop, "metrics").await.refused(400, "IR_16");
    toggles(&shop, "dynamic_connector_selection").await.ok();
    assert_eq!(
        goes_to(&shop, APPROVED).await,
        "stripe_test",
        "fauxpay has half"
    );
    let update = |id: &Value, body: Value| {
        let call = on_profile(&shop, "dynamic_routing_success_based_update");
        call.at("routing_id", id.as_str().expect("an id"))
            .json(&body)
    };
    let suspicious = json!({ "config": { "default_success_rate": 10, "min_aggregates_size": 2 } });
    let second = update(&stored["id"], suspicious).await.ok();
    assert_ne!(second["id"], stored["id"]);
    assert_eq!(
        goes_to(&shop, APPROVED).await,
        "fauxpay",
        "all have ten percent"
    );
    toggles(&shop, "none").await.ok();
    // A configuration of the other kind isn't listed here.
    let other = on_profile(&shop, "dynamic_routing_elimination_toggle");
    let other = other.query("enable", "metrics").await.ok();
    update(&other["id"], json!({})).await.refused(404, "HE_02");
    update(&json!("routing_unknown"), json!({}))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let config = |config: Value| json!({ "config": config });
    let block = |block: Value| config(json!({ "current_block_threshold": block }));
    let table = [
        (config(json!({ "exploration_percent": 101 })), 422, "IR_06"),
        (config(json!({ "default_success_rate": -1 })), 422, "IR_06"),
        (config(json!({ "min_aggregates_size": 9 })), 422, "IR_06"),
        (config(json!({ "max_aggregates_size": 0 })), 422, "IR_06"),
        (block(json!({ "duration_in_mins": 0 })), 422, "IR_06"),
        (block(json!({ "max_total_count": 5 })), 400, "IR_20"),
        (
            config(json!({ "specificity_level": "global" })),
            400,
            "IR_20",
        ),
        (json!({ "decision_engine_configs": {} }), 400, "IR_20"),
        (json!({ "params": ["Weather"] }), 400, "IR_06"),
        (json!({ "surprise": 1 }), 400, "IR_06"),
    ];
    for (body, status, code) in table {
        creates(&shop, &body).await.refused(status, code);
    }
    let level = config(json!({ "specificity_level": "merchant" }));
    creates(&shop, &level).query("enable", "metrics").await.ok();
    let elsewhere = shop.call("dynamic_routing_success_based_create");
    let elsewhere = elsewhere.at("profile_id", "pro_unknown").json(&json!({}));
    elsewhere.await.refused(404, "HE_02");
}
