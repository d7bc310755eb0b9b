//! `refund_type` `scheduled`: a worker sends the refund to the processor soon after the request.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_DECLINED};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{filed, given_back, paid_with, settles, standing};

fn scheduled(amount: i64) -> serde_json::Value {
    json!({ "amount": amount, "refund_type": "scheduled" })
}

#[tokio::test]
async fn it_is_pending_at_once_and_succeeds_without_another_request() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, scheduled(2000)).await.ok();
    assert_eq!(standing(&refund), ("pending", 2000));
    for unsaid in ["error_code", "connector_refund_id"] {
        assert_eq!(refund[unsaid], json!(null), "{unsaid}");
    }
    shop.refunds(&payment, json!({ "amount": 4541 }))
        .await
        .refused(400, "IR_13");
    let done = settles(&shop, &refund).await;
    assert_eq!(standing(&done), ("succeeded", 2000));
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 2000)
    );
    assert_eq!(shop.money().refunded, 2000);
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]));
}

#[tokio::test]
async fn the_processor_may_refuse_it() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_DECLINED).await;
    let refund = shop.refunds(&payment, scheduled(2000)).await.ok();
    assert_eq!(standing(&refund), ("pending", 2000));
    let failed = settles(&shop, &refund).await;
    assert_eq!(standing(&failed), ("failed", 2000));
    assert_eq!(failed["error_code"], "DC_08");
}

#[tokio::test]
async fn a_caller_can_sync_a_scheduled_refund() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, scheduled(2000)).await.ok();
    let asked = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(standing(&asked), ("succeeded", 2000));
    assert_eq!(filed(&shop).len(), 1, "the worker adds no other one");
    assert_eq!(shop.money().refunded, 2000);
}

/// The worker's call or its answer is lost.
#[tokio::test]
async fn an_unknown_scheduled_refund_is_found_out() {
    let shop = Shop::open().await;
    for (fault, end, went_back) in [
        (Fault::LosesAnswer, "succeeded", 2000),
        (Fault::LosesRequest, "failed", 0),
    ] {
        let payment = paid_with(&shop, APPROVED).await;
        shop.next_call_meets(Call::Refund, fault.clone());
        let refund = shop.refunds(&payment, scheduled(2000)).await.ok();
        assert_eq!(standing(&refund), ("pending", 2000), "{fault:?}");
        let known = settles(&shop, &refund).await;
        assert_eq!(standing(&known), (end, 2000), "{fault:?}");
        assert_eq!(
            given_back(&shop, &payment).await,
            ("succeeded".to_owned(), went_back)
        );
        assert_eq!(shop.processor().script().waiting(), 0);
    }
    assert_eq!(shop.money().refunded, 2000);
}

/// A repeat gets the first answer, whatever happened to the refund since.
#[tokio::test]
async fn a_repeat_makes_no_other_one() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let call = shop.refunds(&payment, scheduled(2000));
    let call = call.header("idempotency-key", "k");
    let first = call.clone().await.ok();
    assert_eq!(standing(&first), ("pending", 2000));
    settles(&shop, &first).await;
    let again = call.await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    assert_eq!(filed(&shop).len(), 1);
}
