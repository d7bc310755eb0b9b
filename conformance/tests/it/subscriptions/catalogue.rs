//! What the shop offers to subscribe to.

use multirail_conformance::Shop;
use serde_json::json;

/// A reader for 9.90 euros a month, with variants, and a customer who may want it.
pub async fn offers(shop: &Shop) {
    let ada = json!({ "customer_id": "ada", "email": "ada@shopper.example" });
    shop.call("customers_create").json(&ada).await.ok();
}
