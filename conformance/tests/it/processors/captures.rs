//! Money that is taken: at once, and later by captures.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::place::Place;

#[tokio::test]
async fn taken_at_once() {
    let told = of_each(async |place: &mut Place| {
        let payment = place.pays(CardThat::IsApproved, json!({})).await;
        place.notes("paid", &payment);
        place.is_told().await;
        place
            .reads("when the processor has told of it", &payment)
            .await;
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    ");
}

#[tokio::test]
async fn reserved_and_taken_in_part() {
    let told = of_each(async |place: &mut Place| {
        let manual = json!({ "capture_method": "manual" });
        let payment = place.pays(CardThat::IsApproved, manual).await;
        place.notes("reserved", &payment);
        place.is_told().await;
        let captured = place.captures(&payment, json!({ "amount_to_capture": 4000 }));
        let captured = captured.await.ok();
        place.notes("captured 40.00", &captured);
        place.looks_at_what_waits().await;
        place.is_told().await;
        place
            .reads("when the processor has told of it", &payment)
            .await;
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      reserved: requires_capture, 6540 capturable
      captured 40.00: processing
      capture is pending and waits for notice
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    checkout
      reserved: requires_capture, 6540 capturable
      captured 40.00: processing
      capture is pending and waits for look_up
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    stripe
      reserved: requires_capture, 6540 capturable
      captured 40.00: partially_captured, 4000 received
      nothing waits
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    ");
}
