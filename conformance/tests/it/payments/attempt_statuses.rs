//! The statuses of an attempt: while a call is in flight, and after it.

use std::collections::BTreeSet;
use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, DEVICE_DATA, order_with, with};
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, standing};

/// Returns the statuses that can be read while the call is in flight.
async fn seen_during(shop: &Shop, payment: &Value, call: Call) -> BTreeSet<String> {
    let running = tokio::spawn(async move { call.await.ok() });
    let mut seen = BTreeSet::new();
    while !running.is_finished() {
        seen.insert(attempt_status(shop, payment).await);
    }
    running.await.expect("it is answered");
    seen
}

#[tokio::test]
async fn while_the_processor_is_asked() {
    let shop = Shop::open().await;
    let order = shop.creates(order_with(APPROVED)).await.ok();
    let device = shop.creates(order_with(DEVICE_DATA)).await.ok();
    shop.confirms(&device, json!({})).await.ok();
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(300));
    let seen = seen_during(&shop, &order, shop.confirms(&order, json!({}))).await;
    assert!(seen.contains("started"), "{seen:?}");
    let complete = shop.completes(&device, json!({ "threeds_method_comp_ind": "Y" }));
    let seen = seen_during(&shop, &device, complete).await;
    assert!(seen.contains("authorizing"), "{seen:?}");
}

#[tokio::test]
async fn while_the_processor_has_not_decided() {
    let shop = Shop::open().await;
    let captured = authorized(&shop, "manual").await;
    shop.next_call_meets(ScriptedCall::Capture, Fault::Pends);
    shop.captures(&captured, json!({})).await.ok();
    assert_eq!(attempt_status(&shop, &captured).await, "capture_initiated");
    let cancelled = authorized(&shop, "manual").await;
    shop.next_call_meets(ScriptedCall::Void, Fault::Pends);
    shop.cancels(&cancelled, json!({})).await.ok();
    assert_eq!(attempt_status(&shop, &cancelled).await, "void_initiated");
}

#[tokio::test]
async fn a_partial_approval() {
    let shop = Shop::open().await;
    for (may_be_less, status, payment_status) in [
        (
            true,
            "partially_authorized",
            ("partially_authorized_and_requires_capture", 5000, 0),
        ),
        (false, "integrity_failure", ("conflicted", 0, 0)),
    ] {
        shop.next_call_meets(ScriptedCall::Authorize, Fault::ApprovesOnly(5000));
        let more = json!({
            "capture_method": "manual", "enable_partial_authorization": may_be_less, "confirm": true,
        });
        let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
        assert_eq!(standing(&payment), payment_status);
        assert_eq!(attempt_status(&shop, &payment).await, status);
    }
}
