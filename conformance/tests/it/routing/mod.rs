//! Routing of payments. (Specification 2.4, 4.13)

mod activate;
mod choose;
mod contracts;
mod cost;
mod create;
mod defaults;
mod elimination;
mod estimate;
mod explain;
mod list;
mod success_based;
mod three_ds;

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Opens a shop with three processors; `fauxpay` is the oldest.
pub async fn shop_with_three() -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop.connects("adyen_test", json!({})).await.ok();
    shop
}

/// Returns `{type, data}`.
pub fn algorithm(kind: &str, data: Value) -> Value {
    json!({ "type": kind, "data": data })
}

/// Returns an algorithm that sends everything to this connector.
pub fn single(connector: &str) -> Value {
    algorithm("single", json!({ "connector": connector }))
}

pub fn creates(shop: &Shop, algorithm: Value) -> Call {
    creates_with(shop, algorithm, json!({}))
}

pub fn creates_with(shop: &Shop, algorithm: Value, more: Value) -> Call {
    let body = json!({
        "name": "Of the day", "description": "", "profile_id": shop.profile_id, "algorithm": algorithm,
    });
    shop.call("routing_create").json(&with(body, more))
}

pub fn id(routing: &Value) -> &str {
    routing["id"].as_str().expect("a configuration")
}

pub fn on(shop: &Shop, operation: &str, routing: &Value) -> Call {
    shop.call(operation).at("routing_id", id(routing))
}

/// Stores and activates a configuration.
pub async fn routes_by(shop: &Shop, algorithm: Value) -> Value {
    let made = creates(shop, algorithm).await.ok();
    on(shop, "routing_activate", &made).await.ok()
}

pub fn deactivates(shop: &Shop) -> Call {
    let body = json!({ "profile_id": shop.profile_id });
    shop.call("routing_deactivate").json(&body)
}

/// Pays with these members; returns the connector.
pub async fn goes_to(shop: &Shop, more: Value) -> Value {
    let more = with(json!({ "confirm": true }), more);
    let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
    assert_eq!(payment["status"], "succeeded");
    payment["connector"].clone()
}

/// Returns an algorithm with one rule and a default.
pub fn rules(condition: Value, then: &str, otherwise: &str) -> Value {
    let to = |connector: &str| algorithm("priority", json!([{ "connector": connector }]));
    algorithm(
        "advanced",
        json!({
            "defaultSelection": to(otherwise),
            "rules": [{
                "name": "the rule", "connectorSelection": to(then), "statements": [{ "condition": condition }],
            }],
            "metadata": {},
        }),
    )
}

/// Returns a condition of a rule.
pub fn compares(lhs: &str, comparison: &str, kind: &str, value: Value) -> Value {
    json!({
        "lhs": lhs, "comparison": comparison, "value": { "type": kind, "value": value }, "metadata": {},
    })
}
