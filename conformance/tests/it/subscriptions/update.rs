//! Changes of price, coupon and quantity, and the resulting invoices.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use serde_json::{Value, json};

use crate::billing::{asks, makes};

use super::{DAY, call, invoice_becomes, now, offers, on, subscribed, wanted_with};

/// Returns the kinds and amounts of the lines, after checking their sum.
pub fn lines(invoice: &Value) -> Vec<(String, i64)> {
    let all = invoice["lines"].as_array().expect("lines");
    let lines: Vec<(String, i64)> = all
        .iter()
        .map(|line| {
            let kind = line["kind"].as_str().expect("a word").to_owned();
            (kind, line["amount"].as_i64().expect("an amount"))
        })
        .collect();
    let sum: i64 = lines.iter().map(|(_, amount)| amount).sum();
    assert_eq!(invoice["amount"], sum, "{invoice}");
    lines
}

#[tokio::test]
async fn another_price_credits_the_rest_and_charges_the_difference() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let update = |plan: &str, price: &str| {
        let body = json!({ "plan_id": plan, "item_price_id": price });
        on(&shop, "subscriptions_update", &active).json(&body)
    };
    update("reader_plus", "reader_monthly")
        .await
        .refused(422, "IR_06");
    update("reader", "none").await.refused(404, "HE_02");
    update("reader", "reader_once").await.refused(422, "IR_06");
    let plus = update("reader_plus", "reader_plus_monthly").await.ok();
    assert_eq!(plus["item_price_id"], "reader_plus_monthly");
    assert_eq!(plus["next_billing_at"], active["next_billing_at"]);
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    // Almost nothing of the period has passed.
    assert_eq!(
        lines(&second),
        [("proration".to_owned(), 1_990), ("return".to_owned(), -990)]
    );
    // A cheaper price leaves a credit, which the next invoice uses up.
    let cheaper = update("reader", "reader_monthly").await.ok();
    assert_eq!(cheaper["credit_amount"], 1_000);
    assert_eq!(cheaper["invoice"]["status"], "invoice_paid");
    shop.time_passes(31 * DAY).await;
    let fourth = invoice_becomes(&shop, &active, 4, "invoice_paid").await;
    assert_eq!(
        lines(&fourth),
        [
            ("subscription".to_owned(), 990),
            ("credit_used".to_owned(), -990)
        ]
    );
    // Another interval starts at once.
    let yearly = update("reader_plus", "reader_plus_yearly").await.ok();
    assert_ne!(yearly["next_billing_at"], cheaper["next_billing_at"]);
    let fifth = invoice_becomes(&shop, &active, 5, "invoice_paid").await;
    assert_eq!(lines(&fifth)[0], ("subscription".to_owned(), 19_900));
}

#[tokio::test]
async fn coupons_and_quantities_are_on_the_first_invoice() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let more = json!({ "coupon_code": "TENTH", "quantity": 3 });
    let body = with(wanted_with("reader_monthly", APPROVED), more);
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    assert_eq!(
        (&made["coupon_code"], &made["quantity"]),
        (&json!("TENTH"), &json!(3))
    );
    assert_eq!(
        lines(&made["invoice"]),
        [
            ("subscription".to_owned(), 2_970),
            ("discount".to_owned(), -297)
        ]
    );
    shop.time_passes(31 * DAY).await;
    let second = invoice_becomes(&shop, &made, 2, "invoice_paid").await;
    assert_eq!(lines(&second), [("subscription".to_owned(), 2_970)]);
    let none = with(body, json!({ "coupon_code": "NONE" }));
    let none = call(&shop, "subscriptions_create_and_confirm").json(&none);
    none.await.refused(404, "HE_02");
}

/// An update without a quantity keeps it.
#[tokio::test]
async fn an_update_without_a_quantity_keeps_it() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let body = with(
        wanted_with("reader_monthly", APPROVED),
        json!({ "quantity": 10 }),
    );
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    let dearer = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
    let plus = on(&shop, "subscriptions_update", &made).json(&dearer);
    assert_eq!(plus.await.ok()["quantity"], 10);
    let second = invoice_becomes(&shop, &made, 2, "invoice_paid").await;
    assert_eq!(lines(&second)[0], ("proration".to_owned(), 19_900));
}

/// Without a quantity, both the estimate and the subscription use the price's minimum.
#[tokio::test]
async fn without_a_quantity_it_is_the_least_of_the_price() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let team = json!({ "item_id": "reader", "amount": 300, "interval": "month", "taxes": null,
        "min_quantity": 5 });
    makes(&shop, "item_price_id", "reader_team", team)
        .await
        .ok();
    let estimate = call(&shop, "subscription_estimate").query("item_price_id", "reader_team");
    assert_eq!(estimate.await.ok()["amount"], 1_500);
    let made =
        call(&shop, "subscriptions_create_and_confirm").json(&wanted_with("reader_team", APPROVED));
    let made = made.await.ok();
    assert_eq!(made["quantity"], 5);
    assert_eq!(shop.money().captured, 1_500);
}

/// The price and the quantity don't change, so nothing happens.
#[tokio::test]
async fn an_update_to_what_it_is_changes_nothing() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let before = now(&shop, &active).await;
    for same in [
        json!({ "plan_id": "reader", "item_price_id": "reader_monthly" }),
        json!({ "plan_id": "reader", "item_price_id": "reader_monthly", "quantity": 1 }),
    ] {
        let update = on(&shop, "subscriptions_update", &active).json(&same);
        update.await.ok();
    }
    assert_eq!(now(&shop, &active).await, before);
}

/// An archived price can't be chosen any more, whether it was archived itself or with its plan or product.
/// Subscriptions that have it keep it, and may raise its quantity.
#[tokio::test]
async fn an_archived_price_stays_with_who_has_it() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let plus = subscribed(&shop, "reader_plus_monthly").await;
    let own = json!({ "plan_id": "reader", "item_price_id": "reader_monthly" });
    let update = |of: &Value, body: Value| on(&shop, "subscriptions_update", of).json(&body);
    let body = wanted_with("reader_daily", APPROVED);
    let others = async || {
        call(&shop, "subscriptions_create_and_confirm")
            .json(&body)
            .await
    };
    let active = subscribed(&shop, "reader_monthly").await;
    let before = now(&shop, &active).await;
    for (operation, member, id) in [
        (
            "subscription_item_prices_archive",
            "item_price_id",
            "reader_monthly",
        ),
        ("subscription_products_archive", "product_id", "reading"),
        ("subscription_items_archive", "item_id", "reader"),
    ] {
        asks(&shop, operation).at(member, id).await.ok();
        update(&active, own.clone()).await.ok();
        assert_eq!(now(&shop, &active).await, before, "nothing happens");
        let too_many = with(own.clone(), json!({ "quantity": 1_000_000 }));
        update(&active, too_many).await.refused(422, "IR_05");
        let foreign = with(own.clone(), json!({ "plan_id": "reader_plus" }));
        update(&active, foreign).await.refused(422, "IR_06");
        update(&plus, own.clone()).await.refused(400, "IR_16");
        if member != "item_price_id" {
            others().await.refused(400, "IR_16");
        }
    }
    let more = with(own.clone(), json!({ "quantity": 3 }));
    assert_eq!(update(&active, more).await.ok()["quantity"], 3);
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(lines(&second)[0], ("proration".to_owned(), 2_970));
    let body = wanted_with("reader_monthly", APPROVED);
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    made.await.refused(400, "IR_16");
}
