//! Answers that never came: what is said meanwhile, and how it comes to be known.

use multirail_peers::{CardThat, Fault};
use serde_json::{Value, json};

use super::of_each;
use super::place::Place;

/// The next requests are done, and nobody hears of it.
fn loses(place: &Place, answers: usize) {
    for _ in 0..answers {
        place.peer.faults().next(Fault::LosesAnswer);
    }
}

/// Asking tells, or the processor's notice does.
async fn comes_to_be_known(place: &mut Place, payment: &Value) {
    place.looks_at_what_waits().await;
    let asked = place.asks_about(payment).await.ok();
    place.notes("when it is asked about", &asked);
    place.is_told().await;
    place
        .reads("when the processor has told of it", payment)
        .await;
    place.looks_into_the_books();
    place.looks_at_what_waits().await;
}

/// The card is still at hand: the same request again, under the same key, tells within the call.
#[tokio::test]
async fn of_a_payment_once() {
    let told = of_each(async |place: &mut Place| {
        loses(place, 1);
        let payment = place.pays(CardThat::IsApproved, json!({})).await;
        place.notes("paid", &payment);
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
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
async fn of_a_payment_and_of_its_repeat() {
    let told = of_each(async |place: &mut Place| {
        loses(place, 2);
        let payment = place.pays(CardThat::IsApproved, json!({})).await;
        place.notes("paid", &payment);
        comes_to_be_known(place, &payment).await;
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

#[tokio::test]
async fn of_a_capture() {
    let told = of_each(async |place: &mut Place| {
        let manual = json!({ "capture_method": "manual" });
        let payment = place.pays(CardThat::IsApproved, manual).await;
        loses(place, 1);
        let captured = place.captures(&payment, json!({})).await.ok();
        place.notes("captured", &captured);
        comes_to_be_known(place, &payment).await;
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
async fn of_a_refund() {
    let told = of_each(async |place: &mut Place| {
        let payment = place.pays(CardThat::IsApproved, json!({})).await;
        loses(place, 1);
        let refund = place.refunds(&payment, json!({})).await.ok();
        place.notes("refunded", &refund);
        place.looks_at_what_waits().await;
        let asked = place.asks_about_refund(&refund).await.ok();
        place.notes("when it is asked about", &asked);
        place.is_told().await;
        let known = place.retrieves_refund(&refund).await.ok();
        place.notes("when the processor has told of it", &known);
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
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
