//! Unknown outcomes: lost requests, lost answers, failing processors.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, UNKNOWN, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{attempt_status, authorized, standing};

#[tokio::test]
async fn a_processor_in_trouble_leaves_us_not_knowing() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(UNKNOWN), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(standing(&payment), ("processing", 0, 0));
    assert_eq!(attempt_status(&shop, &payment).await, "pending");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(
        standing(&settled),
        ("failed", 0, 0),
        "the processor has no trace of it"
    );
    assert_eq!(shop.money().authorized, 0);
}

#[tokio::test]
async fn an_approval_whose_answer_was_lost_is_found() {
    let shop = Shop::open().await;
    for fault in [
        Fault::LosesAnswer,
        Fault::AnswersNonsense,
        Fault::FailsAfter(500),
        Fault::FailsAfter(503),
    ] {
        let payment = shop.creates(order_with(APPROVED)).await.ok();
        shop.next_call_meets(Call::Authorize, fault.clone());
        let unknown = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(unknown["status"], "processing", "{fault:?}");
        let settled = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&settled), ("succeeded", 0, 6540), "{fault:?}");
    }
    assert_eq!(shop.money().captured, 4 * 6540);
}

#[tokio::test]
async fn a_request_that_was_lost_never_happened() {
    let shop = Shop::open().await;
    for fault in [Fault::LosesRequest, Fault::FailsBefore(502)] {
        let payment = shop.creates(order_with(APPROVED)).await.ok();
        shop.next_call_meets(Call::Authorize, fault.clone());
        shop.confirms(&payment, json!({})).await.ok();
        let settled = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&settled), ("failed", 0, 0), "{fault:?}");
    }
    assert_eq!(shop.money().authorized, 0);
}

#[tokio::test]
async fn a_capture_whose_answer_was_lost_is_counted_once() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, Fault::LosesAnswer);
    assert_eq!(
        shop.captures(&payment, json!({})).await.ok()["status"],
        "processing"
    );
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("succeeded", 0, 6540)
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_capture_that_was_lost_can_be_made_again() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, Fault::LosesRequest);
    shop.captures(&payment, json!({})).await.ok();
    let asked = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&asked), ("requires_capture", 6540, 0));
    assert_eq!(
        standing(&shop.captures(&payment, json!({})).await.ok()),
        ("succeeded", 0, 6540)
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn another_amount_than_asked_is_a_conflict() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::ApprovesOnly(5000));
    let torn = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(torn["status"], "conflicted");
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
}
