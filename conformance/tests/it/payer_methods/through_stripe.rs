//! Methods that payers finish at a page of Stripe.

use std::sync::Arc;

use multirail_conformance::bodies::with;
use multirail_peers::stripe::Stripe;
use multirail_peers::system_time;
use serde_json::json;

use super::{at_once, bancontact, by, ideal, klarna};
use crate::processors::production_shop::ProductionShop;

async fn at_stripe() -> ProductionShop {
    ProductionShop::open("stripe", Arc::new(Stripe::new(system_time))).await
}

#[tokio::test]
async fn payers_pay_cancel_and_never_return() {
    let mut shop = at_stripe().await;
    for (name, method) in [("iDEAL", ideal()), ("Klarna", klarna())] {
        for approves in [Some(true), Some(false), None] {
            let payment = shop.creates(at_once(method.clone())).await.ok();
            shop.notes(name, &payment);
            match approves {
                Some(approves) => {
                    shop.payer_decides(&payment, approves).await;
                    shop.reads("the payer is back", &payment).await;
                }
                None => {
                    let last = shop.stand_in.all_books().pop().expect("a payment");
                    assert!(shop.stand_in.lapse(&last.key), "the payer never decided");
                }
            }
            shop.receives_notices().await;
            shop.reads("when the processor has told of it", &payment)
                .await;
        }
    }
    shop.looks_into_the_books();
    shop.looks_at_what_waits().await;
    insta::assert_snapshot!(shop.evidence(), @r#"
    stripe
      iDEAL: requires_customer_action
      the payer is back: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      iDEAL: requires_customer_action
      the payer is back: failed, error_code "payment_intent_authentication_failure", error_message "The payer did not pay: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      when the processor has told of it: failed, error_code "payment_intent_authentication_failure", error_message "The payer did not pay: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      iDEAL: requires_customer_action
      when the processor has told of it: failed, error_code "payment_intent_payment_attempt_expired", error_message "The payer did not pay: payment_intent_payment_attempt_expired.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      Klarna: requires_customer_action
      the payer is back: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      Klarna: requires_customer_action
      the payer is back: failed, error_code "payment_intent_authentication_failure", error_message "The payer did not pay: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      when the processor has told of it: failed, error_code "payment_intent_authentication_failure", error_message "The payer did not pay: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      Klarna: requires_customer_action
      when the processor has told of it: failed, error_code "payment_intent_payment_attempt_expired", error_message "The payer did not pay: payment_intent_payment_attempt_expired.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    "#);
}

#[tokio::test]
async fn reserved_money_is_captured_in_part_and_given_back() {
    let mut shop = at_stripe().await;
    let manual = with(klarna(), json!({ "capture_method": "manual" }));
    let payment = shop.creates(at_once(manual)).await.ok();
    shop.payer_decides(&payment, true).await;
    shop.reads("reserved", &payment).await;
    let captured = shop.captures(&payment, json!({ "amount_to_capture": 5000 }));
    let captured = captured.await.ok();
    shop.notes("captured", &captured);
    let refund = shop
        .refunds(&captured, json!({ "amount": 1500 }))
        .await
        .ok();
    shop.notes("given back", &refund);
    shop.receives_notices_about(&payment).await;
    insta::assert_snapshot!(shop.evidence(), @"
    stripe
      reserved: requires_capture, 6540 capturable
      captured: partially_captured, 5000 received
      given back: succeeded
      when the processor has told of it: partially_captured, 5000 received
      the processor's books: authorized 6540, captured 5000, released 1540, given back 1500
      nothing waits
    ");
}

#[tokio::test]
async fn refusals_come_before_the_processor_is_asked() {
    let shop = at_stripe().await;
    let trustly = by("bank_redirect", "trustly", "trustly", json!({}));
    let eps = by("bank_redirect", "eps", "eps", json!({}));
    let table = [
        (
            "in dollars",
            with(ideal(), json!({ "currency": "USD" })),
            "IR_39",
        ),
        (
            "reserved",
            with(ideal(), json!({ "capture_method": "manual" })),
            "IR_39",
        ),
        (
            "in parts",
            with(klarna(), json!({ "capture_method": "manual_multiple" })),
            "IR_39",
        ),
        ("without a name", eps, "IR_04"),
        ("by another method", trustly, "IR_19"),
        ("with a card", bancontact("4111111111111111"), "IR_19"),
    ];
    let mut told = Vec::new();
    for (what, method, code) in table {
        let answer = shop.creates(at_once(method)).await;
        told.push(format!("{what}: {}", answer.refused(400, code)));
    }
    insta::assert_snapshot!(told.join("\n"), @"
    in dollars: stripe takes payment_method_type ideal only in EUR
    reserved: stripe takes payment_method_type ideal only with capture_method automatic
    in parts: stripe takes payment_method_type klarna only with capture_method automatic or manual
    without a name: payment_method_data.billing.address.first_name (or first and last name in payment_method_data.bank_redirect.eps.billing_details.billing_name) is required and was not given
    by another method: no connector of the profile takes payment_method_type trustly; connectors that do: adyen
    with a card: no connector of the profile takes payment_method_type bancontact_card with a card; connectors that do: adyen
    ");
    assert_eq!(shop.stand_in.all_books(), [], "the processor wasn't asked");
}
