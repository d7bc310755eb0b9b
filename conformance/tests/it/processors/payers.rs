//! Payers who authenticate at a processor's page.

use std::sync::Arc;

use multirail_conformance::Browser;
use multirail_conformance::bodies::{order_with, with};
use multirail_conformance::patience::until;
use multirail_peers::adyen::Adyen;
use multirail_peers::{CardThat, Fault};
use serde_json::json;

use super::of_each;
use super::production_shop::{ProductionShop, RETURN_URL, browser};

#[tokio::test]
async fn a_payer_approves_and_another_rejects() {
    let told = of_each(async |shop: &mut ProductionShop| {
        for (words, approves) in [("approved", true), ("rejected", false)] {
            let payment = shop.pays(CardThat::AsksThePayer, json!({})).await;
            shop.notes("asked", &payment);
            let brought = shop.payer_decides(&payment, approves).await;
            let status = brought.iter().find(|(name, _)| name == "status");
            let (_, status) = status.expect("the payer brings a status");
            shop.writes(format!("{words}: the payer is back with {status}"));
            shop.reads("then the payment is", &payment).await;
            shop.receives_notices().await;
            shop.reads("when the processor has told of it", &payment)
                .await;
        }
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      asked: requires_customer_action
      approved: the payer is back with succeeded
      then the payment is: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      asked: requires_customer_action
      rejected: the payer is back with failed
      then the payment is: failed, error_code "11", error_message "3D Not Authenticated", unified_code "UE_2000", unified_message "The payment was not authenticated"
      when the processor has told of it: failed, error_code "11", error_message "3D Not Authenticated", unified_code "UE_2000", unified_message "The payment was not authenticated"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    checkout
      asked: requires_customer_action
      approved: the payer is back with succeeded
      then the payment is: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      asked: requires_customer_action
      rejected: the payer is back with failed
      then the payment is: failed, error_code "20151", error_message "Cardholder failed 3DS authentication", unified_code "UE_2000", unified_message "The payment was not authenticated"
      when the processor has told of it: failed, error_code "20151", error_message "Cardholder failed 3DS authentication", unified_code "UE_2000", unified_message "The payment was not authenticated"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    stripe
      asked: requires_customer_action
      approved: the payer is back with succeeded
      then the payment is: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      asked: requires_customer_action
      rejected: the payer is back with failed
      then the payment is: failed, error_code "payment_intent_authentication_failure", error_message "The card was not charged: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      when the processor has told of it: failed, error_code "payment_intent_authentication_failure", error_message "The card was not charged: payment_intent_authentication_failure.", unified_code "UE_2000", unified_message "The payment was not authenticated"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 0, captured 0, released 0, given back 0
      nothing waits
    "#);
}

/// Stripe has captured then, and sends a notice. Adyen captures only after the merchant's server submits the payer's
/// result.
#[tokio::test]
async fn a_payer_approves_and_never_comes_back() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::AsksThePayer, json!({})).await;
        let page = payment["next_action"]["redirect_to_url"].as_str();
        let browser = Browser::new(&shop.wire);
        let page = browser.opens(page.expect("a page")).await.expect("a page");
        shop.stand_in.decide(page.url.as_str(), true);
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      when the processor has told of it: requires_customer_action
      the processor's books: authorized 0, captured 0, released 0, given back 0
      authorize is awaiting_customer and waits for payer
    checkout
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    ");
}

/// Some processors can't authenticate without browser data, and say so before the payer is sent anywhere.
#[tokio::test]
async fn an_authentication_without_a_browser() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let card = shop.stand_in.card(CardThat::AsksThePayer);
        let body = json!({
            "confirm": true, "return_url": RETURN_URL, "authentication_type": "three_ds",
            "payment_method_data": { "card": { "card_holder_name": card.holder, "card_cvc": card.code } },
        });
        let body = with(order_with(card.number), body);
        let asked = shop.creates(body.clone()).await;
        if asked.status == 200 {
            shop.notes("without browser_info", &asked.ok());
        } else {
            let message = asked.refused(400, "IR_04");
            shop.writes(format!("without browser_info: {message}"));
            let knows = with(body, json!({ "browser_info": browser() }));
            let asked = shop.creates(knows).await.ok();
            shop.notes("with browser_info", &asked);
        }
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      without browser_info: browser_info.accept_header is required and was not given
      with browser_info: requires_customer_action
    checkout
      without browser_info: requires_customer_action
    stripe
      without browser_info: requires_customer_action
    ");
}

/// The payer brings the result once, and the server submits it until the processor answers.
#[tokio::test]
async fn a_payer_approves_while_the_processor_does_not_answer() {
    let shop = ProductionShop::open("adyen", Arc::new(Adyen::new())).await;
    let payment = shop.pays(CardThat::AsksThePayer, json!({})).await;
    for _ in 0..3 {
        shop.peer.faults().next(Fault::LosesRequest);
    }
    let brought = shop.payer_decides(&payment, true).await;
    let status = brought.iter().find(|(name, _)| name == "status");
    let (_, status) = status.expect("the payer brings a status");
    assert_eq!(status, "requires_customer_action");
    until(
        "the result is handed in once more",
        async || shop.retrieves(&payment).await.ok(),
        |payment| payment["status"] == "succeeded",
    )
    .await;
    assert_eq!(shop.peer.faults().waiting(), 0);
    let [booked] = shop.stand_in.all_books().try_into().expect("one payment");
    assert_eq!(booked.books.captured, 6540);
}
