//! Authorizations that nobody captured: the processor lets them expire, and sends a notice.

use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;
use crate::payments::events_of;

async fn reserves(shop: &mut ProductionShop) -> Value {
    let manual = json!({ "capture_method": "manual" });
    let payment = shop.pays(CardThat::IsApproved, manual).await;
    shop.notes("reserved", &payment);
    payment
}

/// Expires every authorization at the processor.
fn lapses(shop: &ProductionShop) {
    for booked in shop.stand_in.all_books() {
        assert!(shop.stand_in.lapse(&booked.key), "{booked:?}");
    }
}

#[tokio::test]
async fn the_notice_ends_the_payment() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        lapses(shop);
        shop.receives_notices_about(&payment).await;
        let events = events_of(shop, &payment).await.into_iter();
        let events: Vec<String> = events.map(|(event, _)| event).collect();
        shop.writes(events.join(", "));
        let again = shop.captures(&payment, json!({})).await;
        shop.writes(again.refused(400, "IR_14"));
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      reserved: requires_capture, 6540 capturable
      when the processor has told of it: expired
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_expired
      the payment can't be captured: its status is expired, it would have to be requires_capture, partially_captured_and_capturable or processing
    checkout
      reserved: requires_capture, 6540 capturable
      when the processor has told of it: expired
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_expired
      the payment can't be captured: its status is expired, it would have to be requires_capture, partially_captured_and_capturable or processing
    stripe
      reserved: requires_capture, 6540 capturable
      when the processor has told of it: expired
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
      payment_authorized, payment_expired
      the payment can't be captured: its status is expired, it would have to be requires_capture, partially_captured_and_capturable or processing
    ");
}

/// The capture comes first, and nobody here knew of the expiry.
#[tokio::test]
async fn a_capture_that_comes_too_late_is_refused() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = reserves(shop).await;
        lapses(shop);
        let captured = shop.captures(&payment, json!({})).await.ok();
        shop.notes("captured", &captured);
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      reserved: requires_capture, 6540 capturable
      captured: processing
      when the processor has told of it: expired
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    checkout
      reserved: requires_capture, 6540 capturable
      captured: requires_capture, 6540 capturable, error_code "capture_not_allowed", error_message "the processor allows no capture of this payment as it stands", unified_code "UE_5000", unified_message "The payment can't be made as it was requested"
      when the processor has told of it: expired
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    stripe
      reserved: requires_capture, 6540 capturable
      captured: failed, error_code "payment_intent_unexpected_state", error_message "The payment is canceled", unified_code "UE_5000", unified_message "The payment can't be made as it was requested"
      when the processor has told of it: failed, error_code "payment_intent_unexpected_state", error_message "The payment is canceled", unified_code "UE_5000", unified_message "The payment can't be made as it was requested"
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    "#);
}
