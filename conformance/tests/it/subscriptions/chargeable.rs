//! Invoices with amounts that the processor can't charge: they are neither charged nor dunned.

use std::sync::Arc;

use multirail_conformance::Shop;
use multirail_conformance::patience::until_found;
use multirail_peers::stripe::Stripe;
use multirail_peers::{CardThat, system_time};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::update::lines;
use super::{
    DAY, invoice_becomes, invoices, is_answered, now, offers, on, subscribed, wanted_with,
};
use crate::billing::makes;
use crate::processors::production_shop::ProductionShop;

/// Opens a shop that charges cards through Stripe, with a clock that can be moved and monthly prices of these
/// amounts.
async fn at_stripe(prices: &[(&str, i64, &str)]) -> ProductionShop {
    let stripe = Arc::new(Stripe::new(system_time));
    let shop = ProductionShop::open_in_a_sandbox("stripe", stripe).await;
    offers(&shop).await;
    for (id, amount, currency) in prices {
        let price = json!({
            "item_id": "reader", "amount": amount, "currency": currency, "interval": "month",
            "time_zone": null, "taxes": null,
        });
        makes(&shop, "item_price_id", id, price).await.ok();
    }
    shop
}

/// Creates a subscription that is paid with a card that Stripe approves.
async fn subscribed_at(shop: &ProductionShop, price: &str) -> Value {
    let card = shop.stand_in.card(CardThat::IsApproved);
    let body = wanted_with(price, card.number);
    let made = super::call(shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    assert_eq!(made["status"], "active", "{made:#}");
    made
}

/// Returns each invoice's number of charges, amount and lines.
async fn bills(shop: &Shop, subscription: &Value) -> String {
    let all = invoices(shop, subscription).await;
    let bill = |invoice: &Value| {
        let lines = lines(invoice).into_iter();
        let lines: Vec<String> = lines
            .map(|(kind, amount)| format!("{kind} {amount}"))
            .collect();
        format!(
            "{} {} in {} payments: {}",
            invoice["status"].as_str().unwrap_or("-"),
            invoice["amount"],
            invoice["attempt_count"],
            lines.join(", ")
        )
    };
    let bills: Vec<String> = all.iter().map(bill).collect();
    bills.join("\n")
}

/// Returns the captured amounts in Stripe's books, payment by payment.
fn taken(shop: &ProductionShop) -> Vec<i64> {
    let books = shop.stand_in.all_books().into_iter();
    let taken = books.map(|booked| booked.books.captured);
    taken.filter(|amount| *amount > 0).collect()
}

/// Stripe's minimum is 50 cents.
#[tokio::test]
async fn a_price_below_the_minimum_is_charged_once_enough_has_come_together() {
    let shop = at_stripe(&[("reader_cents", 20, "USD")]).await;
    let active = subscribed_at(&shop, "reader_cents").await;
    for number in 2..=3 {
        shop.time_passes(31 * DAY).await;
        invoice_becomes(&shop, &active, number, "invoice_paid").await;
    }
    insta::assert_snapshot!(bills(&shop, &active).await, @"
    invoice_paid 0 in 1 payments: subscription 20, carried_over -20
    invoice_paid 0 in 0 payments: subscription 20, carried_in 20, carried_over -40
    invoice_paid 60 in 1 payments: subscription 20, carried_in 40
    ");
    assert_eq!(taken(&shop), [60]);
    let now = now(&shop, &active).await;
    assert_eq!(now["status"], "active", "{now:#}");
}

/// The difference between two prices is 20 cents.
#[tokio::test]
async fn a_small_difference_is_carried_over_to_the_next_invoice() {
    let shop = at_stripe(&[("reader_usd", 1_000, "USD"), ("reader_more", 1_020, "USD")]).await;
    let active = subscribed_at(&shop, "reader_usd").await;
    let dearer = json!({ "plan_id": "reader", "item_price_id": "reader_more" });
    let update = on(&shop, "subscriptions_update", &active).json(&dearer);
    update.await.ok();
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(second["attempt_count"], 0, "{second:#}");
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 3, "invoice_paid").await;
    insta::assert_snapshot!(bills(&shop, &active).await, @"
    invoice_paid 1000 in 1 payments: subscription 1000
    invoice_paid 0 in 0 payments: proration 1020, return -1000, carried_over -20
    invoice_paid 1040 in 1 payments: subscription 1020, carried_in 20
    ");
    assert_eq!(taken(&shop), [1_000, 1_040]);
    let now = now(&shop, &active).await;
    assert_eq!(now["status"], "active", "{now:#}");
}

/// Stripe charges dinars in steps of ten fils.
#[tokio::test]
async fn an_invoice_is_rounded_to_what_the_processor_can_write() {
    let shop = at_stripe(&[("reader_dinars", 1_235, "KWD")]).await;
    let active = subscribed_at(&shop, "reader_dinars").await;
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    insta::assert_snapshot!(bills(&shop, &active).await, @"
    invoice_paid 1240 in 1 payments: subscription 1235, rounding 5
    invoice_paid 1240 in 1 payments: subscription 1235, rounding 5
    ");
    assert_eq!(taken(&shop), [1_240, 1_240]);
}

/// The processor refuses the request itself, which says nothing about the card. So no dunning begins.
#[tokio::test]
async fn a_refused_request_is_no_refusal_of_the_card() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    // A dunning schedule has this many tries; one more would coincide with the next renewal.
    for _ in 0..5 {
        let refusal = Fault::Declines {
            code: "DC_02".to_owned(),
            message: "A member is missing or can't be read".to_owned(),
        };
        shop.server
            .next_call_meets(ScriptedCall::Authorize, refusal);
    }
    shop.time_passes(31 * DAY).await;
    // On a busy machine the clock can reach the next renewal before the worker repeats the last refused charge.
    until_found("the second invoice is paid", async || {
        let all = invoices(&shop, &active).await;
        match all.get(1) {
            Some(second) if second["status"] == "invoice_paid" => Ok(()),
            Some(_) | None => {
                is_answered(&now(&shop, &active).await).await;
                shop.time_passes(DAY / 4).await;
                Err(format!("{all:#?}"))
            }
        }
    })
    .await;
    assert_eq!(now(&shop, &active).await["status"], "active");
}
