//! Declined payments: each processor's own words, and the unified ones.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::production_shop::ProductionShop;

#[tokio::test]
async fn a_decline_says_why() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsDeclined, json!({})).await;
        shop.notes("declined", &payment);
        shop.receives_notices_about(&payment).await;
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
