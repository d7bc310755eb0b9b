//! Money that goes back.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::place::Place;

#[tokio::test]
async fn a_part_and_then_the_rest() {
    let told = of_each(async |place: &mut Place| {
        let payment = place.pays(CardThat::IsApproved, json!({})).await;
        place.is_told().await;
        for (words, amount) in [("a part", 1540), ("the rest", 5000)] {
            let refund = place.refunds(&payment, json!({ "amount": amount }));
            let refund = refund.await.ok();
            place.notes(words, &refund);
            place.looks_at_what_waits().await;
            place.is_told().await;
            let refund = place.retrieves_refund(&refund).await.ok();
            place.notes("when the processor has told of it", &refund);
        }
        let refused = place.refunds(&payment, json!({ "amount": 1 }));
        let refused = refused.await.refused(400, "IR_13");
        place.writes(format!("more: {refused}"));
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      a part: pending
      refund is pending and waits for notice
      when the processor has told of it: succeeded
      the rest: pending
      refund is pending and waits for notice
      when the processor has told of it: succeeded
      more: amount 1 is above what was captured and not refunded yet, 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    stripe
      a part: succeeded
      nothing waits
      when the processor has told of it: succeeded
      the rest: succeeded
      nothing waits
      when the processor has told of it: succeeded
      more: amount 1 is above what was captured and not refunded yet, 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    ");
}
