//! Methods that payers finish at a page of Adyen.

use std::sync::Arc;

use multirail_conformance::bodies::with;
use multirail_peers::adyen::{Adyen, LATE};
use serde_json::{Value, json};

use super::{at_once, by, ideal, klarna};
use crate::processors::production_shop::ProductionShop;

async fn adyens_shop() -> ProductionShop {
    ProductionShop::open("adyen", Arc::new(Adyen::new())).await
}

/// Creates and confirms an order by this method. Its payer has to act.
async fn asks(shop: &mut ProductionShop, method: Value) -> Value {
    let body = at_once(method);
    let payment = shop.creates(body).await.ok();
    shop.notes("asked", &payment);
    payment
}

/// Decides for the payer, who returns to the shop.
async fn returns(shop: &mut ProductionShop, payment: &Value, words: &str, pays: bool) {
    let brought = shop.payer_decides(payment, pays).await;
    let status = brought.iter().find(|(name, _)| name == "status");
    let (_, status) = status.expect("the payer brings a status");
    shop.writes(format!("{words}: the payer is back with {status}"));
}

#[tokio::test]
async fn a_payer_pays_by_ideal_and_others_cancel_or_are_late_or_leave() {
    let mut shop = adyens_shop().await;
    for (words, email, pays) in [
        ("pays", "ada@example.com", true),
        ("cancels", "ada@example.com", false),
        ("pays at a late bank", LATE, true),
    ] {
        let method = with(ideal(), json!({ "email": email }));
        let payment = asks(&mut shop, method).await;
        returns(&mut shop, &payment, words, pays).await;
        shop.receives_notices().await;
        shop.reads("when the processor has told of it", &payment)
            .await;
    }
    let payment = asks(&mut shop, ideal()).await;
    let booked = shop.stand_in.all_books().pop().expect("the newest");
    assert!(shop.stand_in.lapse(&booked.key), "{booked:?}");
    shop.receives_notices_about(&payment).await;
    insta::assert_snapshot!(shop.evidence(), @r#"
    adyen
      asked: requires_customer_action
      pays: the payer is back with succeeded
      when the processor has told of it: succeeded, 6540 received
      asked: requires_customer_action
      cancels: the payer is back with failed
      when the processor has told of it: failed, error_code "16", error_message "Shopper Cancelled", unified_code "UE_2000", unified_message "The payment was not authenticated"
      asked: requires_customer_action
      pays at a late bank: the payer is back with processing
      when the processor has told of it: succeeded, 6540 received
      asked: requires_customer_action
      when the processor has told of it: failed, error_code "OFFER_CLOSED", error_message "The processor gives no reason", unified_code "UE_2000", unified_message "The payment was not authenticated"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    "#);
}

#[tokio::test]
async fn a_klarna_payment_is_captured_and_refunded_in_part() {
    let mut shop = adyens_shop().await;
    let address = json!({
        "first_name": "Ada", "last_name": "Okafor", "line1": "Keizersgracht 1", "city": "Amsterdam", "zip": "1015CC",
    });
    let method = json!({
        "capture_method": "manual", "payment_method_data": { "billing": { "address": address } },
    });
    let payment = asks(&mut shop, with(klarna(), method)).await;
    returns(&mut shop, &payment, "pays", true).await;
    shop.receives_notices().await;
    shop.reads("when the processor has told of it", &payment)
        .await;
    let captured = shop.captures(&payment, json!({ "amount_to_capture": 4000 }));
    let captured = captured.await.ok();
    shop.notes("captured 40.00", &captured);
    shop.receives_notices().await;
    let refund = shop.refunds(&payment, json!({ "amount": 1000 })).await.ok();
    shop.notes("refunded 10.00", &refund);
    shop.receives_notices_about(&payment).await;
    let refund = shop.retrieves_refund(&refund).await.ok();
    shop.notes("the refund", &refund);
    insta::assert_snapshot!(shop.evidence(), @"
    adyen
      asked: requires_customer_action
      pays: the payer is back with requires_capture
      when the processor has told of it: requires_capture, 6540 capturable
      captured 40.00: processing
      refunded 10.00: pending
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 1000
      nothing waits
      the refund: succeeded
    ");
}

#[tokio::test]
async fn what_adyen_does_not_take_is_refused_before_an_attempt() {
    let shop = adyens_shop().await;
    let brazilian = json!({ "billing_email": "ada@example.com", "billing_country": "BR" });
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
            "from another country",
            by("pay_later", "klarna", "klarna_redirect", brazilian),
            "IR_39",
        ),
        ("without the payer's address", klarna(), "IR_04"),
        (
            "without the card",
            by(
                "bank_redirect",
                "bancontact_card",
                "bancontact_card",
                json!({}),
            ),
            "IR_04",
        ),
        (
            "without the bank",
            with(
                by(
                    "bank_redirect",
                    "online_banking_poland",
                    "online_banking_poland",
                    json!({}),
                ),
                json!({ "currency": "PLN" }),
            ),
            "IR_04",
        ),
        (
            "by a method that it doesn't offer",
            with(
                by("bank_redirect", "przelewy24", "przelewy24", json!({})),
                json!({ "currency": "PLN" }),
            ),
            "IR_19",
        ),
    ];
    let mut told = Vec::new();
    for (what, method, code) in table {
        let body = at_once(method);
        let answer = shop.creates(body).await;
        told.push(format!("{what}: {}", answer.refused(400, code)));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    in dollars: adyen takes payment_method_type ideal only in EUR
    reserved: adyen takes payment_method_type ideal only with capture_method automatic
    from another country: adyen takes payment_method_type klarna only from payers in AT, AU, BE, CA, CH, CZ, DE, DK, ES, FI, FR, GB, GR, IE, IT, NL, NO, NZ, PL, PT, RO, SE, US
    without the payer's address: payment_method_data.billing.address.first_name is required and was not given
    without the card: payment_method_data.bank_redirect.bancontact_card.card_number is required and was not given
    without the bank: payment_method_data.bank_redirect.online_banking_poland.issuer is required and was not given
    by a method that it doesn't offer: no connector of the profile takes payment_method_type przelewy24; connectors that do: stripe
    "#);
    assert_eq!(shop.stand_in.all_books(), [], "the processor wasn't asked");
}
