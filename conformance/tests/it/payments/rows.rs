//! From which status what is done after the confirm may be done: each row of the table of allowed states against every status.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, paid_with, with};
use serde_json::{Value, json};

use super::states::in_status;

/// An operation, and the statuses that allow it.
const ROWS: [(&str, &[&str]); 3] = [
    ("payments_incremental_authorization", &["requires_capture"]),
    (
        "payments_cancel_post_capture",
        &[
            "succeeded",
            "partially_captured",
            "partially_captured_and_capturable",
        ],
    ),
    (
        "payments_update_metadata",
        &[
            "succeeded",
            "failed",
            "partially_captured",
            "partially_captured_and_capturable",
            "requires_capture",
        ],
    ),
];

const STATUSES: [&str; 14] = [
    "requires_payment_method",
    "requires_confirmation",
    "requires_customer_action",
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
];

/// A payment in this status, which may be raised where it is authorized.
async fn fresh(shop: &Shop, status: &str) -> Value {
    match status {
        "requires_capture" => {
            let members = json!({
                "confirm": true, "capture_method": "manual", "request_incremental_authorization": true,
            });
            let held = shop.creates(with(order_with(APPROVED), members));
            held.await.ok()
        }
        "cancelled_post_capture" => {
            let paid = shop.creates(paid_with(APPROVED)).await.ok();
            shop.cancels_post_capture(&paid, json!({})).await.ok()
        }
        other => in_status(shop, other).await,
    }
}

#[tokio::test]
async fn each_operation_from_the_statuses_of_its_row_and_no_other() {
    let shop = Shop::open().await;
    for (operation, allowed) in ROWS {
        for status in STATUSES {
            let payment = fresh(&shop, status).await;
            assert_eq!(payment["status"], status);
            let call = match operation {
                "payments_incremental_authorization" => shop.raises(&payment, 9000),
                "payments_cancel_post_capture" => shop.cancels_post_capture(&payment, json!({})),
                _ => shop.updates_metadata(&payment, json!({ "shelf": 4 })),
            };
            let answer = call.await;
            if allowed.contains(&status) {
                assert_eq!(answer.status, 200, "{operation} of {status}: {answer:?}");
            } else {
                let told = (answer.status, &answer.body["code"]);
                assert_eq!(told, (400, &json!("IR_16")), "{operation} of {status}");
                let after = shop.retrieves(&payment).await.ok();
                assert_eq!(after, payment, "{operation} of {status}");
            }
        }
    }
}
