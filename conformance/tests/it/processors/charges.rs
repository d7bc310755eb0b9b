//! Charges without the payer, with a card that the processor keeps or a first payment that the scheme knows.

use multirail_conformance::bodies::{order, with};
use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::{ProductionShop, account};

fn for_ada(more: Value) -> Value {
    with(json!({ "customer_id": "cus_ada" }), more)
}

fn agreed() -> Value {
    for_ada(json!({
        "setup_future_usage": "off_session",
        "customer_acceptance": { "acceptance_type": "offline" },
    }))
}

fn charge(method: &Value) -> Value {
    let recurring = json!({ "type": "payment_method_id", "data": method });
    let charge = json!({
        "confirm": true, "off_session": true, "mit_category": "recurring", "recurring_details": recurring,
    });
    with(order(), for_ada(charge))
}

#[tokio::test]
async fn an_agreed_card_is_charged_at_the_account_that_stores_it() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let first = shop.pays(CardThat::IsApproved, agreed()).await;
        shop.notes("agreed", &first);
        let is_kept = first["connector_mandate_id"].is_string();
        shop.writes(format!("kept by the processor: {is_kept}"));
        assert_eq!(first["connector_customer_id"].is_string(), is_kept);
        assert!(
            first["network_transaction_id"].is_string(),
            "the scheme knows it"
        );
        let method = &first["payment_method_id"];
        let paid = shop.creates(charge(method)).await.ok();
        shop.notes("charged without the payer", &paid);
        assert_eq!(paid["connector_mandate_id"], first["connector_mandate_id"]);
        assert_eq!(
            paid["connector_customer_id"],
            first["connector_customer_id"]
        );
        // A card saved before this service existed is charged by the processor's own reference.
        let own = shop.connector_account_id.clone();
        let data = json!({
            "processor_payment_token": if is_kept { first["connector_mandate_id"].clone() } else { json!("src_kept") },
            "merchant_connector_id": own, "connector_customer_id": first["connector_customer_id"],
        });
        let token = json!({ "type": "processor_payment_token", "data": data });
        let token = json!({ "confirm": true, "off_session": true, "recurring_details": token });
        let charged = shop.creates(with(order(), token)).await;
        if is_kept {
            shop.notes("charged by the token alone", &charged.ok());
        } else {
            charged.refused(400, "IR_20");
        }
        // Another account of the same processor keeps no card, so the card is sent along.
        let peer = super::production_shop::account(&*shop.stand_in, &shop.peer);
        let other = with(peer, json!({ "connector_label": "another" }));
        let connector = shop.connector();
        let other = shop.connects(connector, other).await.ok();
        let routing = json!({ "routing": { "type": "single", "data": {
            "connector": connector, "merchant_connector_id": other["merchant_connector_id"],
        } } });
        let paid = shop.creates(with(charge(method), routing)).await.ok();
        shop.notes("by another account", &paid);
        assert_eq!(paid["connector_mandate_id"], Value::Null);
        shop.looks_into_the_books();
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      agreed: succeeded, 6540 received
      kept by the processor: true
      charged without the payer: succeeded, 6540 received
      charged by the token alone: succeeded, 6540 received
      by another account: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
    checkout
      agreed: succeeded, 6540 received
      kept by the processor: false
      charged without the payer: succeeded, 6540 received
      by another account: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
    stripe
      agreed: succeeded, 6540 received
      kept by the processor: true
      charged without the payer: succeeded, 6540 received
      charged by the token alone: succeeded, 6540 received
      by another account: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
    ");
}

/// Checkout.com keeps no card. Only the account where the payer agreed binds a charge.
#[tokio::test]
async fn a_card_that_no_processor_stores_is_charged_where_its_payer_agreed() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let second = account(&*shop.stand_in, &shop.peer);
        let label = json!({ "connector_label": "second" });
        let second = shop.connects(shop.connector(), with(second, label));
        let second = second.await.ok()["merchant_connector_id"].clone();
        let there = json!({ "routing": {
            "type": "single",
            "data": { "connector": shop.connector(), "merchant_connector_id": second },
        } });
        let first = shop.pays(CardThat::IsApproved, with(agreed(), there));
        let first = first.await;
        assert_eq!(first["merchant_connector_id"], second);
        for anywhere in [false, true] {
            let profile = json!({ "is_connector_agnostic_mit_enabled": anywhere });
            shop.sets_up(profile).await.ok();
            let paid = shop.creates(charge(&first["payment_method_id"])).await.ok();
            shop.notes("charged", &paid);
            let is_there = paid["merchant_connector_id"] == second;
            shop.writes(format!("anywhere: {anywhere}, there: {is_there}"));
        }
    });
    insta::assert_snapshot!(told.await, @r"
    adyen
      charged: succeeded, 6540 received
      anywhere: false, there: true
      charged: succeeded, 6540 received
      anywhere: true, there: true
    checkout
      charged: succeeded, 6540 received
      anywhere: false, there: true
      charged: succeeded, 6540 received
      anywhere: true, there: false
    stripe
      charged: succeeded, 6540 received
      anywhere: false, there: true
      charged: succeeded, 6540 received
      anywhere: true, there: true
    ");
}
