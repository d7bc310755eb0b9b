//! Wallet tokens sealed for a processor's own gateway.

use std::sync::Arc;

use multirail_conformance::bodies::{order, with};
use multirail_peers::stripe::Stripe;
use multirail_peers::system_time;
use serde_json::{Value, json};

use super::production_shop::{ProductionShop, RETURN_URL};

/// A token that Google Pay seals for the gateway `stripe`.
fn by_google_pay(token: &str) -> Value {
    let token = json!({ "id": token, "object": "token", "type": "card" });
    let pay = json!({
        "confirm": true, "return_url": RETURN_URL, "payment_method": "wallet", "payment_method_type": "google_pay",
        "payment_method_data": { "wallet": { "google_pay": {
            "type": "CARD", "description": "Visa 4242", "info": { "card_network": "VISA", "card_details": "4242" },
            "tokenization_data": { "type": "PAYMENT_GATEWAY", "token": token.to_string() },
        } } },
    });
    let mut body = order();
    for name in [
        "payment_method_data",
        "payment_method",
        "payment_method_type",
    ] {
        body.as_object_mut().expect("members").remove(name);
    }
    with(body, pay)
}

#[tokio::test]
async fn google_pay_goes_to_stripe_as_its_own_token() {
    let stripe = Arc::new(Stripe::new(system_time));
    let mut shop = ProductionShop::open("stripe", stripe).await;
    let paid = shop.creates(by_google_pay("tok_visa")).await.ok();
    shop.notes("approved", &paid);
    let declined = shop.creates(by_google_pay("tok_chargeDeclined")).await.ok();
    shop.notes("declined", &declined);
    shop.looks_into_the_books();
    insta::assert_snapshot!(shop.evidence(), @r#"
    stripe
      approved: succeeded, 6540 received
      declined: failed, error_code "generic_decline", error_message "The card was not charged: generic_decline.", unified_code "UE_1000", unified_message "The card or account was not accepted for this payment"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
    "#);
}
