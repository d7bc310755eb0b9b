//! `GET /customers/{customer_id}`.

use multirail_conformance::Shop;
use serde_json::json;

use super::{ada, creates, on};

#[tokio::test]
async fn an_unknown_customer_is_not_found() {
    let shop = Shop::open().await;
    for id in ["nobody", "cus_"] {
        for operation in ["customers_retrieve", "customers_update", "customers_delete"] {
            let call = shop.call(operation).at("customer_id", id);
            call.await.refused(404, "HE_02");
        }
    }
}

#[tokio::test]
async fn a_customer_is_the_merchants_whatever_the_profile() {
    let shop = Shop::open().await;
    let second = shop.second_profile().await;
    let narrowed = |operation: &str| on(&shop, operation, &ada()).header("X-Profile-Id", &second);
    let made = creates(&shop, ada()).await.ok();
    assert_eq!(narrowed("customers_retrieve").await.ok(), made);
    assert_eq!(narrowed("customers_list").await.ok(), json!([made]));
    let moved = narrowed("customers_update").json(&json!({ "name": "Ada" }));
    assert_eq!(moved.await.ok()["name"], "Ada");
    narrowed("customers_delete").await.ok();
}
