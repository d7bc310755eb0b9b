//! Authorizations are voided.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::production_shop::ProductionShop;

#[tokio::test]
async fn an_authorization_is_voided() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let manual = json!({ "capture_method": "manual" });
        let payment = shop.pays(CardThat::IsApproved, manual).await;
        let cancelled = shop.cancels(&payment, json!({ "cancellation_reason": "sold out" }));
        let cancelled = cancelled.await.ok();
        shop.notes("cancelled", &cancelled);
        shop.looks_at_what_waits().await;
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      cancelled: processing
      void is pending and waits for notice
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    checkout
      cancelled: processing
      void is pending and waits for look_up
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    stripe
      cancelled: cancelled
      nothing waits
      when the processor has told of it: cancelled
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    ");
}

/// These processors can't void a captured payment; they refund it instead.
#[tokio::test]
async fn a_captured_payment_is_refunded_and_not_voided() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.receives_notices().await;
        let refused = shop.cancels_post_capture(&payment, json!({}));
        let why = refused.await.refused(400, "IR_20");
        shop.writes(why);
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      voiding after capture through adyen is not supported
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      voiding after capture through checkout is not supported
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      voiding after capture through stripe is not supported
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    ");
}
