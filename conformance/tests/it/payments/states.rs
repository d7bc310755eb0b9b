//! Every reachable state against every command: the tables of section 3 of the specification in one snapshot.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, THREE_DS, card, order, order_with, with,
};
use multirail_simulator::processor::HOLD_DAYS;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::becomes;

/// Creates a payment in this status.
pub async fn in_status(shop: &Shop, status: &str) -> Value {
    let create = |number: &str, more: Value| shop.creates(with(order_with(number), more));
    let at_once = json!({ "confirm": true });
    let payment = match status {
        "requires_payment_method" => shop.creates(order()).await.ok(),
        "requires_confirmation" => create(APPROVED, json!({})).await.ok(),
        "requires_customer_action" => create(THREE_DS, at_once).await.ok(),
        "requires_capture" => create(
            APPROVED,
            json!({ "confirm": true, "capture_method": "manual" }),
        )
        .await
        .ok(),
        "processing" => create(PENDING, at_once).await.ok(),
        "processing (manual_multiple)" => create(
            PENDING,
            json!({ "confirm": true, "capture_method": "manual_multiple" }),
        )
        .await
        .ok(),
        "partially_authorized_and_requires_capture" => {
            shop.next_call_meets(Call::Authorize, Fault::ApprovesOnly(5000));
            let more = json!({ "confirm": true, "capture_method": "manual", "enable_partial_authorization": true });
            create(APPROVED, more).await.ok()
        }
        "partially_captured_and_capturable" => {
            let held = create(
                APPROVED,
                json!({ "confirm": true, "capture_method": "manual_multiple" }),
            )
            .await
            .ok();
            shop.captures(&held, json!({ "amount_to_capture": 4000 }))
                .await
                .ok()
        }
        "partially_captured_and_processing" => {
            let held = create(
                APPROVED,
                json!({ "confirm": true, "capture_method": "manual_multiple" }),
            )
            .await
            .ok();
            shop.captures(&held, json!({ "amount_to_capture": 4000 }))
                .await
                .ok();
            shop.next_call_meets(Call::Capture, Fault::Pends);
            shop.captures(&held, json!({ "amount_to_capture": 2540 }))
                .await
                .ok()
        }
        "requires_capture (refused)" => {
            let held = create(
                APPROVED,
                json!({ "confirm": true, "capture_method": "manual" }),
            )
            .await
            .ok();
            let fault = Fault::Declines {
                code: "DC_99".to_owned(),
                message: "No".to_owned(),
            };
            shop.next_call_meets(Call::Capture, fault);
            shop.captures(&held, json!({})).await.ok()
        }
        "partially_captured" => {
            let held = create(
                APPROVED,
                json!({ "confirm": true, "capture_method": "manual" }),
            )
            .await
            .ok();
            shop.captures(&held, json!({ "amount_to_capture": 4000 }))
                .await
                .ok()
        }
        "succeeded" => create(APPROVED, at_once).await.ok(),
        "failed" => create(DECLINED, at_once).await.ok(),
        "cancelled" => {
            let payment = shop.creates(order()).await.ok();
            shop.cancels(&payment, json!({})).await.ok()
        }
        "conflicted" => {
            shop.next_call_meets(Call::Authorize, Fault::ApprovesOnly(5000));
            create(
                APPROVED,
                json!({ "confirm": true, "capture_method": "manual" }),
            )
            .await
            .ok()
        }
        "requires_merchant_action" => create(HELD, at_once).await.ok(),
        "cancelled_post_capture" => {
            let paid = create(APPROVED, at_once).await.ok();
            shop.cancels_post_capture(&paid, json!({})).await.ok()
        }
        "expired" => {
            let manual = json!({ "confirm": true, "capture_method": "manual" });
            let held = create(APPROVED, manual).await.ok();
            shop.time_passes(HOLD_DAYS * 86_400).await;
            becomes(shop, &held, status).await
        }
        other => panic!("how does a payment become {other}?"),
    };
    let plain = status.split(' ').next().unwrap_or(status);
    assert_eq!(payment["status"], plain);
    payment
}

pub const STATUSES: &[&str] = &[
    "requires_payment_method",
    "requires_confirmation",
    "requires_customer_action",
    "requires_capture",
    "requires_capture (refused)",
    "processing",
    "processing (manual_multiple)",
    "partially_authorized_and_requires_capture",
    "partially_captured_and_capturable",
    "partially_captured_and_processing",
    "partially_captured",
    "succeeded",
    "failed",
    "cancelled",
    "conflicted",
    "requires_merchant_action",
    "cancelled_post_capture",
    "expired",
];

#[tokio::test]
async fn every_command_in_every_status() {
    let shop = Shop::open().await;
    let mut table = String::new();
    for status in STATUSES {
        table.push_str(&format!("{status}\n"));
        for command in ["update", "confirm", "capture", "cancel"] {
            let payment = in_status(&shop, status).await;
            let call = match command {
                "update" => shop.updates(&payment, json!({ "description": "new" })),
                "confirm" => shop.confirms(&payment, card(APPROVED)),
                "capture" => shop.captures(&payment, json!({ "amount_to_capture": 100 })),
                "cancel" => shop.cancels(&payment, json!({})),
                other => panic!("what is {other}?"),
            };
            let answer = call.await;
            let outcome = match answer.status {
                200 => answer.body["status"].as_str().unwrap_or("-").to_owned(),
                refused => {
                    let after = shop.retrieves(&payment).await.ok();
                    assert_eq!(
                        after["status"], payment["status"],
                        "a refusal changes nothing"
                    );
                    assert_eq!(
                        after["modified_at"], payment["modified_at"],
                        "a refusal changes nothing"
                    );
                    format!("{refused} {}", answer.body["code"].as_str().unwrap_or("-"))
                }
            };
            table.push_str(&format!("    {command:8} {outcome}\n"));
        }
    }
    insta::assert_snapshot!(table, @r"
    requires_payment_method
        update   requires_payment_method
        confirm  succeeded
        capture  400 IR_14
        cancel   cancelled
    requires_confirmation
        update   requires_confirmation
        confirm  succeeded
        capture  400 IR_14
        cancel   cancelled
    requires_customer_action
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   cancelled
    requires_capture
        update   400 IR_16
        confirm  400 IR_16
        capture  partially_captured
        cancel   cancelled
    requires_capture (refused)
        update   400 IR_16
        confirm  400 IR_16
        capture  partially_captured
        cancel   cancelled
    processing
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    processing (manual_multiple)
        update   400 IR_16
        confirm  400 IR_16
        capture  422 IR_06
        cancel   400 IR_16
    partially_authorized_and_requires_capture
        update   400 IR_16
        confirm  400 IR_16
        capture  partially_captured
        cancel   400 IR_16
    partially_captured_and_capturable
        update   400 IR_16
        confirm  400 IR_16
        capture  partially_captured_and_capturable
        cancel   400 IR_16
    partially_captured_and_processing
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    partially_captured
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    succeeded
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    failed
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    cancelled
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    conflicted
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    requires_merchant_action
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    cancelled_post_capture
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    expired
        update   400 IR_16
        confirm  400 IR_16
        capture  400 IR_14
        cancel   400 IR_16
    ");
}
