//! Lost answers: the answer to the caller meanwhile, and how the outcome becomes known.

use multirail_peers::{CardThat, Fault};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;

/// The processor does the next requests, but their answers are lost.
fn loses(shop: &ProductionShop, answers: usize) {
    for _ in 0..answers {
        shop.peer.faults().next(Fault::LosesAnswer);
    }
}

/// Either a sync or the processor's notice tells the outcome.
async fn comes_to_be_known(shop: &mut ProductionShop, payment: &Value) {
    shop.looks_at_what_waits().await;
    let asked = shop.asks_about(payment).await.ok();
    shop.notes("when it is asked about", &asked);
    shop.receives_notices_about(payment).await;
}

/// The card is still in memory, so the server repeats the request with the same key and learns the outcome within the
/// call.
#[tokio::test]
async fn a_payments_answer_once() {
    let told = of_each(async |shop: &mut ProductionShop| {
        loses(shop, 1);
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.notes("paid", &payment);
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      paid: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      paid: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      paid: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    ");
}

#[tokio::test]
async fn a_payments_answer_and_its_repeats() {
    let told = of_each(async |shop: &mut ProductionShop| {
        loses(shop, 2);
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.notes("paid", &payment);
        comes_to_be_known(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      paid: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      authorize is unknown and waits for notice
      when it is asked about: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      paid: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      authorize is unknown and waits for look_up
      when it is asked about: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      paid: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      authorize is unknown and waits for look_up
      when it is asked about: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    "#);
}

/// The server repeats the request with the same key and learns the outcome within the call.
#[tokio::test]
async fn the_answers_to_a_capture_a_refund_and_a_void_once() {
    let told = of_each(async |shop: &mut ProductionShop| {
        for fault in [Fault::LosesAnswer, Fault::LosesRequest] {
            let manual = json!({ "capture_method": "manual" });
            let payment = shop.pays(CardThat::IsApproved, manual.clone()).await;
            shop.receives_notices().await;
            shop.peer.faults().next(fault);
            shop.captures(&payment, json!({})).await.ok();
            shop.receives_notices().await;
            shop.reads(&format!("{fault:?}, captured"), &payment).await;
            shop.peer.faults().next(fault);
            let refund = shop.refunds(&payment, json!({ "amount": 400 })).await.ok();
            shop.receives_notices().await;
            let refund = shop.asks_about_refund(&refund).await.ok();
            shop.notes("refunded", &refund);
            let payment = shop.pays(CardThat::IsApproved, manual).await;
            shop.receives_notices().await;
            shop.peer.faults().next(fault);
            shop.cancels(&payment, json!({})).await.ok();
            shop.receives_notices().await;
            let cancelled = shop.asks_about(&payment).await.ok();
            shop.notes("cancelled", &cancelled);
        }
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      LosesAnswer, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      LosesRequest, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    checkout
      LosesAnswer, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      LosesRequest, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    stripe
      LosesAnswer, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      LosesRequest, captured: succeeded, 6540 received
      refunded: succeeded
      cancelled: cancelled
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      the processor's books: authorized 6540, captured 0, released 6540, given back 0
      nothing waits
    ");
}

/// The processor asks for a repeat after a failure. Whether the refund was made or not, it is made once.
#[tokio::test]
async fn a_refunds_answer_that_asks_for_a_repeat() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.receives_notices().await;
        for _ in 0..2 {
            shop.peer.faults().next(Fault::AsksForRepeat);
        }
        let refund = shop.refunds(&payment, json!({ "amount": 400 })).await.ok();
        shop.notes("refunded", &refund);
        assert_ne!(refund["status"], "failed");
        let asked = shop.asks_about_refund(&refund).await.ok();
        shop.notes("when it is asked about", &asked);
        shop.receives_notices().await;
        let known = shop.retrieves_refund(&refund).await.ok();
        shop.notes("when the processor has told of it", &known);
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      refunded: pending, error_code "outcome_unknown", error_message "the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did"
      when it is asked about: pending
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      nothing waits
    checkout
      refunded: pending, error_code "outcome_unknown", error_message "the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did"
      when it is asked about: pending, error_code "outcome_unknown", error_message "the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did"
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      nothing waits
    stripe
      refunded: pending, error_code "outcome_unknown", error_message "the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did"
      when it is asked about: succeeded
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 400
      nothing waits
    "#);
}

/// A sync sends a request again that never arrived.
#[tokio::test]
async fn a_captures_request() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let manual = json!({ "capture_method": "manual" });
        let payment = shop.pays(CardThat::IsApproved, manual).await;
        shop.receives_notices().await;
        for _ in 0..2 {
            shop.peer.faults().next(Fault::LosesRequest);
        }
        let captured = shop.captures(&payment, json!({})).await.ok();
        shop.notes("captured", &captured);
        shop.asks_about(&payment).await.ok();
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    "#);
}

#[tokio::test]
async fn a_captures_answer() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let manual = json!({ "capture_method": "manual" });
        let payment = shop.pays(CardThat::IsApproved, manual).await;
        loses(shop, 2);
        let captured = shop.captures(&payment, json!({})).await.ok();
        shop.notes("captured", &captured);
        comes_to_be_known(shop, &payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      capture is unknown and waits for repeat
      when it is asked about: processing
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      capture is unknown and waits for look_up
      when it is asked about: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      captured: processing, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      capture is unknown and waits for look_up
      when it is asked about: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    "#);
}

#[tokio::test]
async fn a_refunds_answer() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        loses(shop, 2);
        let refund = shop.refunds(&payment, json!({})).await.ok();
        shop.notes("refunded", &refund);
        shop.looks_at_what_waits().await;
        let asked = shop.asks_about_refund(&refund).await.ok();
        shop.notes("when it is asked about", &asked);
        shop.receives_notices().await;
        let known = shop.retrieves_refund(&refund).await.ok();
        shop.notes("when the processor has told of it", &known);
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      refunded: pending, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      refund is unknown and waits for repeat
      when it is asked about: pending
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    checkout
      refunded: pending, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      refund is unknown and waits for look_up
      when it is asked about: succeeded
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    stripe
      refunded: pending, error_code "outcome_unknown", error_message "the connection to the processor broke; this ends when it answers a question about it or tells unasked what it did"
      refund is unknown and waits for look_up
      when it is asked about: succeeded
      when the processor has told of it: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    "#);
}
