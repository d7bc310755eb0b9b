//! Mandates. (Specification 2.11; facts 3.15, 7.13)

mod charge;
mod forget;
mod list;
mod race;
mod revoke;
mod set_up;

use multirail_conformance::bodies::{APPROVED, paid_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Terms for one charge of at most 65.40 US dollars.
pub fn once() -> Value {
    json!({ "single_use": { "amount": 6540, "currency": "USD" } })
}

/// Terms for any number of charges, each of at most 65.40 US dollars.
pub fn often() -> Value {
    json!({ "multi_use": { "amount": 6540, "currency": "USD" } })
}

/// Members that ask for a mandate with these terms, with the payer's consent.
pub fn asked(terms: Value) -> Value {
    json!({
        "mandate_data": {
            "mandate_type": terms,
            "customer_acceptance": {
                "acceptance_type": "online",
                "accepted_at": "2026-01-05T10:11:12.345Z",
                "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
            },
        },
    })
}

/// A card payment of Ada's that asks for a mandate.
pub fn setting_up(number: &str, terms: Value) -> Value {
    let body = with(paid_with(number), asked(terms));
    with(body, json!({ "customer_id": "ada" }))
}

/// Creates a mandate of Ada's with a payment.
pub async fn made(shop: &Shop, terms: Value) -> Value {
    let paid = shop.creates(setting_up(APPROVED, terms)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    retrieved(shop, &paid).await
}

/// Retrieves the mandate that an answer names.
pub async fn retrieved(shop: &Shop, of: &Value) -> Value {
    on(shop, "mandates_retrieve", of).await.ok()
}

/// Returns the id of a mandate.
pub fn id(mandate: &Value) -> &str {
    mandate["mandate_id"].as_str().expect("a mandate's id")
}

/// Builds a call of an operation on a mandate.
pub fn on(shop: &Shop, operation: &str, mandate: &Value) -> Call {
    shop.call(operation).at("mandate_id", id(mandate))
}

/// Members that charge under a mandate.
fn under(mandate: &Value) -> Value {
    json!({ "off_session": true, "mandate_id": id(mandate) })
}

/// A charge of Ada's under a mandate, confirmed at once.
pub fn charged(mandate: &Value, amount: i64) -> Value {
    let order =
        json!({ "amount": amount, "currency": "USD", "customer_id": "ada", "confirm": true });
    with(order, under(mandate))
}

async fn status(shop: &Shop, mandate: &Value) -> String {
    let mandate = retrieved(shop, mandate).await;
    mandate["status"].as_str().expect("a status").to_owned()
}

/// Returns the types of an object's events, the oldest first.
async fn events(shop: &Shop, object_id: &str) -> Vec<String> {
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    let events = events.json(&json!({ "object_id": object_id })).await.ok();
    let events = events["events"].as_array().expect("events").iter().rev();
    let types = events.map(|event| event["event_type"].as_str().expect("a type").to_owned());
    types.collect()
}

/// Returns the mandate for a snapshot: checks the form of ids and dates and hides them.
fn shown(mandate: &Value) -> Value {
    let mut shown = mandate.clone();
    let forms = [
        ("mandate_id", "man_", 24),
        ("payment_method_id", "pm_", 23),
        ("payment_id", "pay_", 24),
        ("created_at", "2", 24),
    ];
    for (member, start, length) in forms {
        let text = shown[member].as_str().expect("a text");
        assert!(
            text.starts_with(start) && text.len() == length,
            "{member}: {text}"
        );
        shown[member] = json!(format!("[{member}]"));
    }
    shown
}
