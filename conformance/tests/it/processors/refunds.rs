//! Refunds.

use std::sync::Arc;

use multirail_peers::stripe::Stripe;
use multirail_peers::{CardThat, StandIn, TestCard, system_time};
use serde_json::json;

use super::of_each;
use super::production_shop::ProductionShop;

#[tokio::test]
async fn a_part_and_then_the_rest() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.receives_notices().await;
        for (words, amount) in [("a part", 1540), ("the rest", 5000)] {
            let refund = shop.refunds(&payment, json!({ "amount": amount }));
            let refund = refund.await.ok();
            shop.notes(words, &refund);
            shop.looks_at_what_waits().await;
            shop.receives_notices().await;
            let refund = shop.retrieves_refund(&refund).await.ok();
            shop.notes("when the processor has told of it", &refund);
        }
        let refused = shop.refunds(&payment, json!({ "amount": 1 }));
        let refused = refused.await.refused(400, "IR_13");
        shop.writes(format!("more: {refused}"));
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
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
    checkout
      a part: pending
      refund is pending and waits for look_up
      when the processor has told of it: succeeded
      the rest: pending
      refund is pending and waits for look_up
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

/// A card of Stripe's whose refunds take days. Stripe announces the outcome, and a sync finds it too.
#[tokio::test]
async fn slow_refunds_of_stripe_end_by_its_word() {
    let stripe = Arc::new(Stripe::new(system_time));
    let mut shop = ProductionShop::open("stripe", stripe.clone()).await;
    let slow = TestCard {
        number: "4000000000007726",
        ..stripe.card(CardThat::IsApproved)
    };
    for (words, receives_notices) in [("told", true), ("asked", false)] {
        let payment = shop.pays_with(slow, json!({})).await;
        let refund = shop.refunds(&payment, json!({})).await.ok();
        shop.notes("refunded", &refund);
        shop.receives_notices().await;
        shop.looks_at_what_waits().await;
        stripe.accounts().ledger().settle_refunds();
        let refund = if receives_notices {
            shop.receives_notices().await;
            shop.retrieves_refund(&refund).await.ok()
        } else {
            shop.asks_about_refund(&refund).await.ok()
        };
        shop.notes(words, &refund);
    }
    shop.looks_into_the_books();
    shop.looks_at_what_waits().await;
    insta::assert_snapshot!(shop.evidence(), @"
    stripe
      refunded: pending
      refund is pending and waits for look_up
      told: succeeded
      refunded: pending
      refund is pending and waits for look_up
      asked: succeeded
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      the processor's books: authorized 6540, captured 6540, released 0, given back 6540
      nothing waits
    ");
}
