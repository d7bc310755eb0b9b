//! Charges that fail or have an unknown outcome.

use multirail_conformance::Shop;
use multirail_conformance::patience::until_found;
use multirail_conformance::response::moment;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{
    DAY, declined, invoice_becomes, invoices, now, offers, on, subscribed, until, until_in_steps,
};

/// Scripts as many soft declines as the schedule has tries.
fn fails(shop: &Shop, times: usize) {
    for _ in 0..times {
        shop.server
            .next_call_meets(ScriptedCall::Authorize, declined());
    }
}

/// Waits until this many charges were made and the last one has failed. The schedule counts from then on.
async fn fails_the_nth_time(shop: &Shop, subscription: &Value, nth: u32) {
    let has_failed = |now: &Value| {
        let invoice = &now["invoice"];
        invoice["attempt_count"] == nth && invoice["status"] == "payment_failed"
    };
    until(shop, subscription, has_failed).await;
}

#[tokio::test]
async fn an_invoice_is_charged_again_by_the_schedule() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    fails(&shop, 2);
    shop.time_passes(31 * DAY).await;
    let failed = invoice_becomes(&shop, &active, 2, "payment_failed").await;
    assert_eq!(failed["attempt_count"], 1);
    assert!(failed["next_attempt_at"].is_string(), "{failed}");
    assert_eq!(now(&shop, &active).await["status"], "active");
    shop.time_passes(DAY).await;
    fails_the_nth_time(&shop, &active, 2).await;
    shop.time_passes(3 * DAY).await;
    let paid = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 3);
    assert_eq!(shop.money().captured, 2 * 990);
}

#[tokio::test]
async fn a_failed_collection_leaves_it_unpaid_until_it_is_paid() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    fails(&shop, 6);
    for days in [31, 1, 3, 5, 7] {
        shop.time_passes(days * DAY).await;
        let tries = [31, 1, 3, 5, 7]
            .iter()
            .position(|it| *it == days)
            .expect("one")
            + 1;
        let tried = |now: &Value| {
            now["invoice"]["attempt_count"] == tries && now["invoice"]["status"] == "payment_failed"
        };
        until(&shop, &active, tried).await;
    }
    let unpaid = now(&shop, &active).await;
    assert_eq!(unpaid["status"], "unpaid");
    assert!(unpaid["next_billing_at"].is_null());
    shop.time_passes(60 * DAY).await;
    assert_eq!(
        invoices(&shop, &active).await.len(),
        2,
        "nothing more is billed"
    );
    on(&shop, "subscriptions_pause", &active)
        .await
        .refused(400, "IR_16");

    // It fails once more, and then the customer has money.
    let collect = || {
        let invoice = unpaid["invoice"]["id"].as_str().expect("an id");
        on(&shop, "subscriptions_collect_invoice", &active).at("invoice_id", invoice)
    };
    collect().await.ok();
    fails_the_nth_time(&shop, &active, 6).await;
    shop.time_passes(DAY).await;
    let revived = until(&shop, &active, |now| now["status"] == "active").await;
    collect().await.refused(400, "IR_16");
    assert_eq!(revived["status"], "active");
    invoice_becomes(&shop, &active, 3, "invoice_paid").await;
    assert_eq!(shop.money().captured, 3 * 990);
}

#[tokio::test]
async fn a_voided_invoice_is_owed_no_more() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    fails(&shop, 1);
    shop.time_passes(31 * DAY).await;
    let failed = invoice_becomes(&shop, &active, 2, "payment_failed").await;
    let at = |operation: &str, invoice: &Value| {
        let invoice = invoice["id"].as_str().expect("an id");
        on(&shop, operation, &active).at("invoice_id", invoice)
    };
    let voided = at("subscriptions_void_invoice", &failed).await.ok();
    assert_eq!(voided["status"], "voided");
    at("subscriptions_void_invoice", &failed)
        .await
        .refused(400, "IR_16");
    let paid = &active["invoice"];
    at("subscriptions_void_invoice", paid)
        .await
        .refused(400, "IR_16");
    let read = at("subscriptions_retrieve_invoice", &failed).await.ok();
    assert_eq!(read["status"], "voided");
    let none = json!({ "id": "invoice_none" });
    at("subscriptions_retrieve_invoice", &none)
        .await
        .refused(404, "HE_02");
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 3, "invoice_paid").await;
    assert_eq!(shop.money().captured, 2 * 990);
}

#[tokio::test]
async fn an_unknown_charge_is_not_repeated() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_pending").await;
    let is_paid = |now: &Value| now["invoice"]["status"] == "invoice_paid";
    let paid = until_in_steps(&shop, &active, 60, is_paid).await["invoice"].clone();
    assert_eq!(paid["attempt_count"], 1);
    assert_eq!(shop.money().captured, 2 * 990, "once");
}

/// Periods that begin while a declined card waits for its next try are invoiced and wait too. Once the card pays,
/// everything is paid.
#[tokio::test]
async fn a_daily_price_asks_a_card_no_more_often_than_the_schedule() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_daily").await;
    let attempts = async || -> i64 {
        let all = invoices(&shop, &active).await;
        let attempts = all.iter().map(|one| one["attempt_count"].as_i64());
        attempts.map(|count| count.expect("a number")).sum()
    };
    fails(&shop, 2);
    shop.time_passes(DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_failed").await;
    for number in 3..=5 {
        let clock = shop.time_passes(DAY).await;
        // By now the due try has been made.
        let waits = |now: &Value| {
            let (invoice, next) = (&now["invoice"], &now["invoice"]["next_attempt_at"]);
            let is_later = || (moment(next) - moment(&clock["now"])).num_hours() > 0;
            invoice["number"] == number && next.is_string() && is_later()
        };
        until(&shop, &active, waits).await;
    }
    assert_eq!(attempts().await, 1 + 2);
    shop.time_passes(DAY).await;
    invoice_becomes(&shop, &active, 6, "invoice_paid").await;
    let is_paid = |one: &Value| one["status"] == "invoice_paid";
    until_found("every invoice is paid", async || {
        let invoices = invoices(&shop, &active).await;
        match invoices.iter().all(is_paid) {
            true => Ok(()),
            false => Err(Value::from(invoices)),
        }
    })
    .await;
    assert_eq!(attempts().await, 1 + 2 + 5);
    assert_eq!(shop.money().captured, 6 * 100);
}
