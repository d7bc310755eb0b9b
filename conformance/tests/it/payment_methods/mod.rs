//! Saved payment methods. (Specification 2.6, 4.7; facts 2.7, 7.7, 9)

pub mod accounts;
mod again;
mod agreements;
mod canary;
pub mod charge;
mod client;
mod commits;
mod create;
pub mod ephemeral_keys;
mod filters;
mod list;
mod manage;
mod offered;
mod pay;
mod processor_tokens;
mod races;
mod required;
mod save;
mod tokens;

use multirail_conformance::bodies::with;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Creates a customer with this id.
pub async fn known(shop: &Shop, customer: &str) {
    let body = json!({ "customer_id": customer });
    shop.call("customers_create").json(&body).await.ok();
}

/// The body that saves a card for a customer.
pub fn card_of(customer: &str, number: &str) -> Value {
    json!({
        "customer_id": customer,
        "payment_method": "card",
        "payment_method_type": "credit",
        "card": {
            "card_number": number, "card_exp_month": "10", "card_exp_year": "35", "card_holder_name": "Ada Okafor",
        },
    })
}

/// Builds a call that saves a card of a customer.
pub fn saves(shop: &Shop, customer: &str, number: &str) -> Call {
    shop.call("payment_methods_create")
        .json(&card_of(customer, number))
}

fn lists(shop: &Shop, customer: &str) -> Call {
    shop.call("customer_payment_methods_list")
        .at("customer_id", customer)
}

/// Returns the customer's methods from the merchant's list.
pub async fn listed(shop: &Shop, customer: &str) -> Vec<Value> {
    methods(&lists(shop, customer).await.ok())
}

fn methods(answer: &Value) -> Vec<Value> {
    let methods = answer["customer_payment_methods"].as_array();
    methods.expect("methods").clone()
}

/// Returns the last digits of the methods, in their order.
fn last_digits(answer: &Value) -> Vec<String> {
    let methods = methods(answer).into_iter();
    methods
        .map(|method| {
            method["card"]["last4_digits"]
                .as_str()
                .unwrap_or("-")
                .to_owned()
        })
        .collect()
}

/// Builds a call of an operation on a method.
pub fn on(shop: &Shop, operation: &str, method: &Value) -> Call {
    shop.call(operation)
        .at("payment_method_id", method_id(method))
}

/// Returns the id of a method.
pub fn method_id(method: &Value) -> &str {
    method["payment_method_id"].as_str().expect("an id")
}

/// Members that pay with the token of a listed method and the card's code.
fn by_token(method: &Value) -> Value {
    json!({ "payment_method": "card", "payment_token": method["payment_token"], "card_cvc": "123" })
}

/// An order of 65.40 US dollars of a customer.
fn order_of(customer: &str) -> Value {
    json!({ "amount": 6540, "currency": "USD", "customer_id": customer })
}

/// An order that is paid at once with a token.
pub fn paid_by_token(customer: &str, method: &Value) -> Value {
    let confirm = with(by_token(method), json!({ "confirm": true }));
    with(order_of(customer), confirm)
}

/// Members that save the payment's card for this usage.
pub fn saved_for(usage: &str) -> Value {
    json!({
        "setup_future_usage": usage,
        "customer_acceptance": {
            "acceptance_type": "online",
            "accepted_at": "2026-01-05T10:11:12.345Z",
            "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
        },
    })
}

/// Returns the method for a snapshot: checks the form of ids and dates and hides them.
fn shown(method: &Value) -> Value {
    let mut shown = method.clone();
    let forms = [
        ("payment_token", "token_", 26),
        ("payment_method_id", "pm_", 23),
        ("created", "2", 24),
        ("last_used_at", "2", 24),
    ];
    for (member, start, length) in forms {
        if let Some(value) = shown.get_mut(member) {
            let text = value.as_str().expect("a text");
            assert!(
                text.starts_with(start) && text.len() == length,
                "{member}: {text}"
            );
            *value = json!(format!("[{member}]"));
        }
    }
    if shown["payment_method"] == "card" {
        let fingerprint = shown["card"]["card_fingerprint"].as_str().expect("a text");
        assert_eq!(fingerprint.len(), 32);
        shown["card"]["card_fingerprint"] = json!("[fingerprint]");
    }
    shown
}
