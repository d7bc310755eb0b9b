mod attempt_statuses;
mod auto_retry;
mod brought_credentials;
mod caller;
mod cancel;
mod cancel_post_capture;
mod capture;
mod capture_pending;
mod capture_refused;
pub mod capture_scheduled;
mod card_expiry;
mod card_networks;
mod cards;
mod client;
mod confirm;
mod create;
mod currencies;
mod device_data;
mod expiry;
mod filter;
mod held_cards;
pub mod held_payments;
mod incremental_authorization;
mod list;
mod members;
mod metadata;
mod of_users;
mod overcapture;
mod payer_addresses;
mod payment_types;
mod profile_wishes;
mod races;
mod retrieve;
mod retry;
mod routing;
mod rows;
mod session_tokens;
pub mod states;
mod three_ds;
mod unknown;
mod update;
mod wallet_through;
mod wallets;
mod who_sets_what;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::patience::until;
use serde_json::{Value, json};

/// Authorizes an order that waits for its capture.
pub async fn authorized(shop: &Shop, capture_method: &str) -> Value {
    let more = json!({ "capture_method": capture_method, "confirm": true });
    let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
    assert_eq!(payment["status"], "requires_capture");
    payment
}

/// Waits until a worker has brought the payment to this status.
pub async fn becomes(shop: &Shop, payment: &Value, status: &str) -> Value {
    until(
        status,
        async || shop.retrieves(payment).await.ok(),
        |now| now["status"] == status,
    )
    .await
}

/// Waits until the payment isn't processing any more. Only the worker syncs.
pub async fn settles(shop: &Shop, payment: &Value) -> Value {
    until(
        "what became of it is known",
        async || shop.retrieves(payment).await.ok(),
        |now| now["status"] != "processing",
    )
    .await
}

/// Returns status, capturable and received amount: the members that most steps change.
fn standing(payment: &Value) -> (&str, i64, i64) {
    let amount = |name: &str| payment[name].as_i64().unwrap_or(0);
    let status = payment["status"].as_str().expect("a status");
    (
        status,
        amount("amount_capturable"),
        amount("amount_received"),
    )
}

/// Returns a payment's events, oldest first: each type, with the status in its content.
pub async fn events_of(shop: &Shop, payment: &Value) -> Vec<(String, String)> {
    let events = |operation: &str| {
        let call = shop.operator(operation);
        call.at("merchant_id", &shop.merchant_id)
    };
    let body = json!({ "object_id": payment["payment_id"] });
    let page = events("events_list").json(&body).await.ok();
    let mut told = Vec::new();
    for event in page["events"].as_array().expect("events") {
        let id = event["event_id"].as_str().expect("an id");
        let attempts = events("events_attempts").at("event_id", id).await.ok();
        let sent = attempts[0]["request"]["body"].as_str().expect("a body");
        let sent: Value = serde_json::from_str(sent).expect("JSON");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        told.push((
            text(&event["event_type"]),
            text(&sent["content"]["object"]["status"]),
        ));
    }
    told.reverse();
    told
}

/// Returns the newest attempt's status, as the merchant sees it.
async fn attempt_status(shop: &Shop, payment: &Value) -> String {
    let payment = shop
        .retrieves(payment)
        .query("expand_attempts", true)
        .await
        .ok();
    let attempts = payment["attempts"]
        .as_array()
        .expect("attempts were asked for");
    let last = attempts.last().expect("there is an attempt");
    last["status"].as_str().expect("a status").to_owned()
}
