//! The table of allowed states: each operation other than confirm, capture, cancel and refund is tried in every
//! status. Those four are in this folder's and the refunds' `states.rs`. (Facts 3.7)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DEVICE_DATA, order_with, with};
use serde_json::{Value, json};

use super::states::in_status;

/// Operations with the statuses that allow them. The table of the facts allows more for operations on held payments
/// and for the device data.
const ROWS: [(&str, &[&str]); 7] = [
    (
        "update",
        &["requires_payment_method", "requires_confirmation"],
    ),
    ("complete_authorize", &["requires_customer_action"]),
    ("approve", &["requires_merchant_action"]),
    ("reject", &["requires_merchant_action"]),
    (
        "cancel_post_capture",
        &[
            "succeeded",
            "partially_captured",
            "partially_captured_and_capturable",
        ],
    ),
    (
        "update_metadata",
        &[
            "succeeded",
            "failed",
            "partially_captured",
            "partially_captured_and_capturable",
            "requires_capture",
        ],
    ),
    ("incremental_authorization", &["requires_capture"]),
];

const STATUSES: [&str; 16] = [
    "requires_payment_method",
    "requires_confirmation",
    "requires_customer_action",
    "requires_merchant_action",
    "requires_capture",
    "processing",
    "partially_authorized_and_requires_capture",
    "partially_captured_and_capturable",
    "partially_captured_and_processing",
    "partially_captured",
    "succeeded",
    "failed",
    "cancelled",
    "conflicted",
    "cancelled_post_capture",
    "expired",
];

/// Creates a payment in this status. An authorized one can be raised, and one that waits for its payer needs device
/// data.
async fn fresh(shop: &Shop, status: &str) -> Value {
    let (card, more) = match status {
        "requires_capture" => {
            let raisable = json!({
                "confirm": true, "capture_method": "manual", "request_incremental_authorization": true,
            });
            (APPROVED, raisable)
        }
        "requires_customer_action" => (DEVICE_DATA, json!({ "confirm": true })),
        other => return in_status(shop, other).await,
    };
    shop.creates(with(order_with(card), more)).await.ok()
}

#[tokio::test]
async fn each_operation_from_the_statuses_of_its_row_and_no_other() {
    let shop = Shop::open().await;
    for (operation, allowed) in ROWS {
        for status in STATUSES {
            let payment = fresh(&shop, status).await;
            assert_eq!(payment["status"], status);
            let call = match operation {
                "update" => shop.updates(&payment, json!({ "description": "new" })),
                "complete_authorize" => {
                    shop.completes(&payment, json!({ "threeds_method_comp_ind": "Y" }))
                }
                "approve" => shop.approves(&payment),
                "reject" => shop.rejects(&payment),
                "cancel_post_capture" => shop.cancels_post_capture(&payment, json!({})),
                "update_metadata" => shop.updates_metadata(&payment, json!({ "shelf": 4 })),
                "incremental_authorization" => shop.raises(&payment, 9000),
                other => panic!("what is {other}?"),
            };
            let answer = call.await;
            // Reading is never refused.
            let after = shop.retrieves(&payment).await.ok();
            if allowed.contains(&status) {
                assert_eq!(answer.status, 200, "{operation} of {status}: {answer:?}");
            } else {
                let told = (answer.status, &answer.body["code"]);
                assert_eq!(told, (400, &json!("IR_16")), "{operation} of {status}");
                assert_eq!(after, payment, "{operation} of {status}");
            }
        }
    }
}
