mod another;
pub mod at_rest;
mod create;
mod in_payments;
mod interrupted;
mod list;
mod redact;
mod retrieve;
mod update;
mod waiting;

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Returns the id of a customer.
pub fn id(customer: &Value) -> &str {
    customer["customer_id"].as_str().expect("a customer")
}

/// Builds a call of an operation on a customer.
pub fn on(shop: &Shop, operation: &str, customer: &Value) -> Call {
    shop.call(operation).at("customer_id", id(customer))
}

pub fn creates(shop: &Shop, body: Value) -> Call {
    shop.call("customers_create").json(&body)
}

pub fn updates(shop: &Shop, customer: &Value, body: Value) -> Call {
    on(shop, "customers_update", customer).json(&body)
}

/// Returns a customer with every member set.
pub fn ada() -> Value {
    json!({
        "customer_id": "ada",
        "name": "Ada Okafor",
        "email": "Ada@Shopper.Example",
        "phone": "(202) 555-0132",
        "phone_country_code": "+1",
        "description": "Reads mathematics",
        "address": {
            "first_name": "Ada", "last_name": "Okafor", "line1": "12 Analytical Row", "line2": "Second floor",
            "line3": "Left", "city": "London", "state": "Greater London", "zip": "W1J 7NT", "country": "GB",
            "origin_zip": "W1J 7NU",
        },
        "tax_registration_id": "GB123456789",
        "metadata": { "loyalty": "golden-member" },
    })
}

/// The texts of [`ada`] that identify the customer.
pub const TELLING: &[&str] = &[
    "Okafor",
    "Shopper.Example",
    "shopper.example",
    "555-0132",
    "mathematics",
    "Analytical",
    "GB123456789",
    "golden-member",
];

/// Returns the answer without its id and date.
pub fn undated(mut customer: Value) -> Value {
    let members = customer.as_object_mut().expect("a customer");
    members.shift_remove("customer_id");
    members.shift_remove("created_at");
    customer
}
