//! `POST /payments/{payment_id}/cancel`. (Specification 3, 4.10)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, THREE_DS, order, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, events_of, standing};

async fn cancels_for_good(shop: &Shop, payment: &Value) {
    let cancelled = shop
        .cancels(payment, json!({ "cancellation_reason": "duplicate" }))
        .await
        .ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    assert_eq!(cancelled["cancellation_reason"], "duplicate");
    assert_eq!(attempt_status(shop, &cancelled).await, "voided");
    shop.cancels(payment, json!({})).await.refused(400, "IR_16");
    shop.captures(payment, json!({}))
        .await
        .refused(400, "IR_14");
    shop.confirms(payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.updates(payment, json!({ "amount": 1 }))
        .await
        .refused(400, "IR_16");
    let stored = shop.retrieves(payment).await.ok();
    assert_eq!(stored["cancellation_reason"], "duplicate");
}

#[tokio::test]
async fn before_there_is_an_instrument() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    cancels_for_good(&shop, &payment).await;
}

#[tokio::test]
async fn before_it_is_confirmed() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    cancels_for_good(&shop, &payment).await;
    assert_eq!(
        shop.money().authorized,
        0,
        "the processor never heard of it"
    );
}

#[tokio::test]
async fn while_the_payer_is_asked() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(THREE_DS), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(payment["status"], "requires_customer_action");
    cancels_for_good(&shop, &payment).await;
    let voids = shop
        .processor()
        .ledger()
        .voids()
        .expect("the books can be read");
    assert_eq!(
        voids.len(),
        1,
        "the processor was told, so that no approval comes any more"
    );
}

#[tokio::test]
async fn an_authorized_payment_is_cancelled() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    cancels_for_good(&shop, &payment).await;
    let books = shop.money();
    assert_eq!((books.captured, books.released), (0, 6540));
}

#[tokio::test]
async fn a_reason_is_not_needed() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let call = shop
        .call("payments_cancel")
        .at("payment_id", multirail_conformance::shop::id(&payment));
    let cancelled = call.await.ok();
    assert_eq!(
        (&cancelled["status"], &cancelled["cancellation_reason"]),
        (&json!("cancelled"), &json!(null))
    );
}

#[tokio::test]
async fn a_refused_void_leaves_the_authorization() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(
        Call::Void,
        Fault::Declines {
            code: "DC_98".into(),
            message: "No".into(),
        },
    );
    let reason = json!({ "cancellation_reason": "sold out" });
    let kept = shop.cancels(&payment, reason).await.ok();
    assert_eq!(standing(&kept), ("requires_capture", 6540, 0));
    assert_eq!(attempt_status(&shop, &kept).await, "authorized");
    assert_eq!(
        (&kept["error_code"], &kept["error_message"]),
        (&json!("DC_98"), &json!("No"))
    );
    assert_eq!(kept["cancellation_reason"], json!(null));
    let events = events_of(&shop, &payment).await.into_iter();
    let events: Vec<String> = events.map(|(event, _)| event).collect();
    assert_eq!(events, ["payment_authorized", "action_required"]);
    cancels_for_good(&shop, &payment).await;
    assert_eq!(shop.money().released, 6540);
}

#[tokio::test]
async fn a_pending_void_is_asked_about() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Void, Fault::Pends);
    let pending = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(pending["status"], "processing");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("cancelled", 0, 0)
    );
    assert_eq!(shop.money().released, 6540);
}

#[tokio::test]
async fn an_answer_that_is_lost_is_not_taken_for_a_failure() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Void, Fault::LosesAnswer);
    let unknown = shop
        .cancels(&payment, json!({ "cancellation_reason": "duplicate" }))
        .await
        .ok();
    assert_eq!(unknown["status"], "processing");
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&settled), ("cancelled", 0, 0));
    assert_eq!(settled["cancellation_reason"], "duplicate");
}
