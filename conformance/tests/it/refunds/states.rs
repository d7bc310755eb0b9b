//! Refunds of a payment in every reachable status. (Facts 3.7, 3.10)

use multirail_conformance::Shop;
use serde_json::json;

use super::standing;
use crate::payments::states::{STATUSES, in_status};

#[tokio::test]
async fn every_status() {
    let shop = Shop::open().await;
    let mut table = String::new();
    let mut expected = 0;
    for status in STATUSES {
        let payment = in_status(&shop, status).await;
        let answer = shop.refunds(&payment, json!({ "amount": 10 })).await;
        let outcome = match answer.status {
            200 => {
                expected += 10;
                let (refund, amount) = standing(&answer.body);
                format!("refund of {amount} {refund}")
            }
            refused => {
                let after = shop.retrieves(&payment).await.ok();
                assert_eq!(
                    after["modified_at"], payment["modified_at"],
                    "a refusal changes nothing"
                );
                assert_eq!(after["refunds"], json!(null));
                format!("{refused} {}", answer.body["code"].as_str().unwrap_or("-"))
            }
        };
        table.push_str(&format!("{status:42} {outcome}\n"));
    }
    insta::assert_snapshot!(table, @r"
    requires_payment_method                    400 IR_14
    requires_confirmation                      400 IR_14
    requires_customer_action                   400 IR_14
    requires_capture                           400 IR_14
    requires_capture (refused)                 400 IR_14
    processing                                 400 IR_14
    processing (manual_multiple)               400 IR_14
    partially_authorized_and_requires_capture  400 IR_14
    partially_captured_and_capturable          400 IR_14
    partially_captured_and_processing          400 IR_14
    partially_captured                         refund of 10 succeeded
    succeeded                                  refund of 10 succeeded
    failed                                     400 IR_14
    cancelled                                  400 IR_14
    conflicted                                 400 IR_14
    requires_merchant_action                   400 IR_14
    cancelled_post_capture                     400 IR_14
    expired                                    400 IR_14
    ");
    assert_eq!(shop.money().refunded, expected);
}

#[tokio::test]
async fn the_refusal_names_the_status_and_what_it_would_have_to_be() {
    let shop = Shop::open().await;
    let payment = in_status(&shop, "requires_capture").await;
    let refused = shop.refunds(&payment, json!({})).await;
    insta::assert_snapshot!(refused.refused(400, "IR_14"), @"the payment can't be refunded: its status is requires_capture, it would have to be succeeded or partially_captured");
}
