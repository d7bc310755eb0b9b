//! Payments that are declined: the processor's words, and those that every processor has in common.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::place::Place;

#[tokio::test]
async fn a_decline_says_why() {
    let told = of_each(async |place: &mut Place| {
        let payment = place.pays(CardThat::IsDeclined, json!({})).await;
        place.notes("declined", &payment);
        place.is_told().await;
        place
            .reads("when the processor has told of it", &payment)
            .await;
        place.looks_into_the_books();
        place.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      declined: failed, error_code "12", error_message "Not enough balance", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      when the processor has told of it: failed, error_code "12", error_message "Not enough balance", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    checkout
      declined: failed, error_code "20051", error_message "Insufficient funds", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      when the processor has told of it: failed, error_code "20051", error_message "Insufficient funds", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    stripe
      declined: failed, error_code "generic_decline", error_message "The card was not charged: generic_decline.", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      when the processor has told of it: failed, error_code "generic_decline", error_message "The card was not charged: generic_decline.", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    "#);
}
