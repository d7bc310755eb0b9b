//! `DELETE /customers/{customer_id}`: who it was is forgotten.

use multirail_conformance::Shop;
use serde_json::json;

use super::{TELLING, ada, creates, on, undated, updates};

#[tokio::test]
async fn nothing_of_a_redacted_customer_can_be_read_any_more() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    let deleted = on(&shop, "customers_delete", &made).await.ok();
    insta::assert_json_snapshot!(deleted, @"");
    for operation in ["customers_retrieve", "customers_update", "customers_delete"] {
        let message = on(&shop, operation, &made).await.refused(400, "IR_11");
        assert_eq!(message, "the customer has been redacted already");
    }
    updates(&shop, &made, json!({ "name": "Ada" }))
        .await
        .refused(400, "IR_11");
    let list = shop.call("customers_list").await.ok();
    let text = list.to_string();
    for telling in TELLING {
        assert!(!text.contains(telling), "{telling}: {text}");
    }
    insta::assert_json_snapshot!(undated(list[0].clone()), @"");
}
