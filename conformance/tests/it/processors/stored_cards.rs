//! Processors store customers and their cards: one customer each, cards for later charges, and nothing that was
//! deleted here.

use std::sync::Arc;

use multirail_conformance::bodies::{order, with};
use multirail_conformance::patience::until;
use multirail_peers::stripe::{Failure, Stripe};
use multirail_peers::{CardThat, StandIn, system_time};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;

fn agreed(customer: &str, more: Value) -> Value {
    let agreed = json!({
        "customer_id": customer, "name": format!("{customer} Reader"), "email": format!("{customer}@shopper.example"),
        "setup_future_usage": "off_session",
        "customer_acceptance": { "acceptance_type": "offline" },
    });
    with(agreed, more)
}

fn charge(customer: &str, method: &Value) -> Value {
    let recurring = json!({ "type": "payment_method_id", "data": method });
    let charge = json!({
        "customer_id": customer, "confirm": true, "off_session": true, "mit_category": "recurring",
        "recurring_details": recurring,
    });
    with(order(), charge)
}

/// Waits until the processor stores this many cards and customers, and writes it down.
async fn keeps(shop: &mut ProductionShop, when: &str, cards: usize, customers: usize) {
    let stand_in = shop.stand_in.clone();
    // Checkout.com isn't asked to store cards.
    let expected = match shop.connector() {
        "checkout" => (0, 0),
        "stripe" => (cards, customers),
        _ => (cards, 0),
    };
    until(
        "the processor keeps no more than it should",
        async || {
            format!(
                "{} of {}",
                stand_in.stored_instruments(),
                stand_in.customers().len()
            )
        },
        |kept| *kept == format!("{} of {}", expected.0, expected.1),
    )
    .await;
    let customers = stand_in.customers();
    let (cards, _) = expected;
    shop.writes(format!("{when}: {cards} cards of {customers:?}"));
}

#[tokio::test]
async fn a_customer_is_created_once_and_a_card_is_stored_also_without_money() {
    let told = of_each(async |shop: &mut ProductionShop| {
        shop.pays(CardThat::IsApproved, agreed("ada", json!({})))
            .await;
        shop.pays(CardThat::IsApproved, agreed("ada", json!({})))
            .await;
        let free = json!({ "amount": 0 });
        let saved = shop.pays(CardThat::IsApproved, agreed("ben", free)).await;
        shop.notes("saved without money", &saved);
        let is_kept = saved["connector_mandate_id"].is_string();
        shop.writes(format!("kept by the processor: {is_kept}"));
        let charged = shop.creates(charge("ben", &saved["payment_method_id"]));
        let charged = charged.await.ok();
        shop.notes("charged", &charged);
        assert_eq!(
            charged["connector_mandate_id"],
            saved["connector_mandate_id"]
        );
        let customers = shop.stand_in.customers();
        shop.writes(format!("{customers:?}"));
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      saved without money: succeeded
      kept by the processor: true
      charged: succeeded, 6540 received
      []
    checkout
      saved without money: succeeded
      kept by the processor: false
      charged: succeeded, 6540 received
      []
    stripe
      saved without money: succeeded
      kept by the processor: true
      charged: succeeded, 6540 received
      [("ada Reader", "ada@shopper.example"), ("ben Reader", "ben@shopper.example")]
    "#);
}

#[tokio::test]
async fn deletions_reach_the_processor() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let ada = shop
            .pays(CardThat::IsApproved, agreed("ada", json!({})))
            .await;
        shop.pays(CardThat::IsApproved, agreed("ben", json!({})))
            .await;
        let mandate = json!({ "mandate_data": {
            "customer_acceptance": { "acceptance_type": "offline" },
            "mandate_type": { "multi_use": { "amount": 10_000, "currency": "USD" } },
        } });
        let carol = shop
            .pays(CardThat::IsApproved, agreed("carol", mandate))
            .await;
        keeps(shop, "saved", 3, 3).await;
        let id = carol["mandate_id"].as_str().expect("a mandate");
        shop.call("mandates_revoke").at("mandate_id", id).await.ok();
        keeps(shop, "carol's mandate is revoked", 2, 3).await;
        let id = ada["payment_method_id"].as_str().expect("a method");
        let delete = shop.call("payment_methods_delete");
        delete.at("payment_method_id", id).await.ok();
        keeps(shop, "ada's card is deleted", 1, 3).await;
        let delete = shop.call("customers_delete");
        delete.at("customer_id", "ben").await.ok();
        keeps(shop, "ben is redacted", 0, 2).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      saved: 3 cards of []
      carol's mandate is revoked: 2 cards of []
      ada's card is deleted: 1 cards of []
      ben is redacted: 0 cards of []
    checkout
      saved: 0 cards of []
      carol's mandate is revoked: 0 cards of []
      ada's card is deleted: 0 cards of []
      ben is redacted: 0 cards of []
    stripe
      saved: 3 cards of [("ada Reader", "ada@shopper.example"), ("ben Reader", "ben@shopper.example"), ("carol Reader", "carol@shopper.example")]
      carol's mandate is revoked: 2 cards of [("ada Reader", "ada@shopper.example"), ("ben Reader", "ben@shopper.example"), ("carol Reader", "carol@shopper.example")]
      ada's card is deleted: 1 cards of [("ada Reader", "ada@shopper.example"), ("ben Reader", "ben@shopper.example"), ("carol Reader", "carol@shopper.example")]
      ben is redacted: 0 cards of [("ada Reader", "ada@shopper.example"), ("carol Reader", "carol@shopper.example")]
    "#);
}

/// New credentials may belong to another account, where the customer is unknown.
#[tokio::test]
async fn a_customer_that_is_gone_is_made_again() {
    let stripe = Arc::new(Stripe::new(system_time));
    let mut shop = ProductionShop::open("stripe", stripe.clone()).await;
    let paid = shop.pays(CardThat::IsApproved, agreed("ada", json!({})));
    let paid = paid.await;
    shop.notes("first", &paid);
    stripe.accounts().ledger().forget_customers();
    let paid = shop.pays(CardThat::IsApproved, agreed("ada", json!({})));
    let paid = paid.await;
    shop.notes("second", &paid);
    let paid = shop.pays(CardThat::IsApproved, agreed("ada", json!({})));
    let paid = paid.await;
    shop.notes("third", &paid);
    let is_kept = paid["connector_mandate_id"].is_string();
    let customers = stripe.customers();
    shop.writes(format!("kept by the processor: {is_kept}, {customers:?}"));
    shop.looks_into_the_books();
    insta::assert_snapshot!(shop.evidence(), @r#"
    stripe
      first: succeeded, 6540 received
      second: failed, error_code "not_processed", error_message "the processor has no trace of this operation: it did not take place", unified_code "UE_9000", unified_message "The processor did not let the payment through"
      third: succeeded, 6540 received
      kept by the processor: true, [("ada Reader", "ada@shopper.example")]
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
    "#);
}

/// Stripe stores its own failure under the request's key, so a retry needs another key. By then the customer may
/// exist.
#[tokio::test]
async fn a_customer_is_made_once_though_stripe_failed() {
    let mut told = String::new();
    for (what, failures) in [
        ("failed before it", &[Failure::BeforeIt][..]),
        ("failed after it", &[Failure::AfterIt]),
        (
            "failed before and after it",
            &[Failure::BeforeIt, Failure::AfterIt],
        ),
    ] {
        let stripe = Arc::new(Stripe::new(system_time));
        let mut shop = ProductionShop::open("stripe", stripe.clone()).await;
        for failure in failures {
            stripe.accounts().fails_to_make_customer(*failure);
        }
        let nameless = json!({ "email": null, "name": null });
        for (customer, more) in [("ada", json!({})), ("ben", nameless)] {
            let paid = shop.pays(CardThat::IsApproved, agreed(customer, more));
            let paid = paid.await;
            shop.notes(what, &paid);
            let is_kept = paid["connector_mandate_id"].is_string();
            let charged = shop.creates(charge(customer, &paid["payment_method_id"]));
            let charged = charged.await.ok();
            let is_own = paid["connector_customer_id"] == charged["connector_customer_id"];
            shop.notes("charged", &charged);
            let all = stripe.customers();
            shop.writes(format!(
                "kept: {is_kept}, charged as the same customer: {is_own}, {all:?}"
            ));
            for failure in failures {
                stripe.accounts().fails_to_make_customer(*failure);
            }
        }
        told += &shop.evidence();
    }
    insta::assert_snapshot!(told, @r#"
    stripe
      failed before it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example")]
      failed before it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example"), ("", "")]
    stripe
      failed after it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example")]
      failed after it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example"), ("", "")]
    stripe
      failed before and after it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example")]
      failed before and after it: succeeded, 6540 received
      charged: succeeded, 6540 received
      kept: true, charged as the same customer: true, [("ada Reader", "ada@shopper.example"), ("", "")]
    "#);
}
