//! Captures, refunds and cancellations from a processor's own back office count like those requested here.

use multirail_peers::{ByHand, CardThat};
use serde_json::{Value, json};

use super::production_shop::ProductionShop;
use super::raises::raises;
use super::{PROCESSORS, of_each};
use crate::payments::events_of;

async fn reserves(shop: &mut ProductionShop) -> Value {
    let manual = json!({ "capture_method": "manual" });
    let payment = shop.pays(CardThat::IsApproved, manual).await;
    shop.receives_notices().await;
    payment
}

/// Performs an operation on this payment in the processor's back office.
fn by_hand(shop: &ProductionShop, payment: &Value, what: ByHand) {
    let reference = payment["connector_transaction_id"]
        .as_str()
        .expect("a reference");
    let all = shop.stand_in.all_books();
    let booked = all.iter().find(|booked| booked.reference == reference);
    shop.stand_in
        .does_by_hand(&booked.expect("it is booked").key, what);
}

/// Writes down the payment's events and refunds.
async fn looks_closer(shop: &mut ProductionShop, payment: &Value) {
    let events = events_of(shop, payment).await.into_iter();
    let events: Vec<String> = events.map(|(event, _)| event).collect();
    shop.writes(events.join(", "));
    let read = shop.retrieves(payment).await.ok();
    for refund in read["refunds"].as_array().into_iter().flatten() {
        shop.writes(format!(
            "refund of {}: {}",
            refund["amount"], refund["status"]
        ));
    }
}

#[tokio::test]
async fn a_capture_and_a_refund_of_it() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        by_hand(shop, &payment, ByHand::Captures(1500));
        shop.receives_notices_about(&payment).await;
        by_hand(shop, &payment, ByHand::Refunds(400));
        shop.receives_notices_about(&payment).await;
        looks_closer(shop, &payment).await;
        // Only the rest can be refunded here.
        shop.refunds(&payment, json!({ "amount": 1200 }))
            .await
            .refused(400, "IR_13");
        shop.refunds(&payment, json!({ "amount": 1100 })).await.ok();
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    checkout
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    stripe
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    "#);
}

#[tokio::test]
async fn a_cancellation() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        by_hand(shop, &payment, ByHand::Cancels);
        shop.receives_notices_about(&payment).await;
        looks_closer(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_cancelled
    checkout
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_cancelled
    stripe
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_cancelled
    ");
}

/// The capture comes first, and nobody here knew of it.
#[tokio::test]
async fn a_capture_that_a_cancel_meets() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        by_hand(shop, &payment, ByHand::Captures(1500));
        let cancelled = shop.cancels(&payment, json!({})).await.ok();
        shop.notes("cancelled", &cancelled);
        shop.receives_notices_about(&payment).await;
        looks_closer(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      cancelled: processing
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      payment_authorized, payment_processing, payment_captured
    checkout
      cancelled: requires_capture, 6540 capturable, error_code "void_not_allowed", error_message "the processor allows no void of this payment as it stands", unified_code "UE_5000", unified_message "The payment can't be made as it was requested"
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      payment_authorized, action_required, payment_captured
    stripe
      cancelled: requires_capture, 6540 capturable, error_code "payment_intent_unexpected_state", error_message "The payment is succeeded", unified_code "UE_5000", unified_message "The payment can't be made as it was requested"
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 0
      nothing waits
      payment_authorized, action_required, payment_captured
    "#);
}

/// Adyen's Customer Area adjusts an authorization in both directions.
#[tokio::test]
async fn an_adjustment_to_less() {
    let (connector, stand_in) = PROCESSORS[0];
    let mut shop = ProductionShop::open(connector, stand_in()).await;
    let payment = reserves(&mut shop).await;
    by_hand(&shop, &payment, ByHand::Adjusts(4000));
    shop.receives_notices_about(&payment).await;
    let read = shop.retrieves(&payment).await.ok();
    shop.writes(format!(
        "amount {}, net {}, {}",
        read["amount"],
        read["net_amount"],
        raises(&read)
    ));
    shop.captures(&payment, json!({ "amount_to_capture": 4001 }))
        .await
        .refused(422, "IR_06");
    shop.captures(&payment, json!({})).await.ok();
    shop.receives_notices_about(&payment).await;
    looks_closer(&mut shop, &payment).await;
    insta::assert_snapshot!(shop.evidence(), @"
    adyen
      when the processor has told of it: requires_capture, 4000 capturable
      the processor's books: authorized 4000, captured 0, released 0, given back 0
      nothing waits
      amount 4000, net 4000, 6540 to 4000 success
      when the processor has told of it: succeeded, 4000 received
      the processor's books: authorized 4000, captured 4000, released 0, given back 0
      nothing waits
      payment_authorized, payment_processing, payment_succeeded
    ");
}

#[tokio::test]
async fn refunds_of_what_was_taken_at_once() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.receives_notices().await;
        for amount in [400, 600] {
            by_hand(shop, &payment, ByHand::Refunds(amount));
        }
        shop.receives_notices_about(&payment).await;
        looks_closer(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1000
      nothing waits
      payment_succeeded
      refund of 400: "succeeded"
      refund of 600: "succeeded"
    checkout
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1000
      nothing waits
      payment_succeeded
      refund of 400: "succeeded"
      refund of 600: "succeeded"
    stripe
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1000
      nothing waits
      payment_succeeded
      refund of 400: "succeeded"
      refund of 600: "succeeded"
    "#);
}

/// No notice comes, so the merchant asks for a sync. Adyen has no such request.
#[tokio::test]
async fn a_sync_finds_back_office_operations() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        by_hand(shop, &payment, ByHand::Captures(1500));
        by_hand(shop, &payment, ByHand::Refunds(400));
        for _ in 0..2 {
            let asked = shop.asks_about(&payment).await.ok();
            shop.notes("asked about", &asked);
        }
        looks_closer(shop, &payment).await;
        // Later notices bring nothing new.
        shop.receives_notices_about(&payment).await;
        looks_closer(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      asked about: requires_capture, 6540 capturable
      asked about: requires_capture, 6540 capturable
      payment_authorized
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    checkout
      asked about: partially_captured, 1500 received
      asked about: partially_captured, 1500 received
      payment_authorized, payment_captured
      refund of 400: "succeeded"
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    stripe
      asked about: partially_captured, 1500 received
      asked about: partially_captured, 1500 received
      payment_authorized, payment_captured
      refund of 400: "succeeded"
      when the processor has told of it: partially_captured, 1500 received
      the processor's books: authorized 6540, captured 1500, released 5040, given back 400
      nothing waits
      payment_authorized, payment_captured
      refund of 400: "succeeded"
    "#);
}
