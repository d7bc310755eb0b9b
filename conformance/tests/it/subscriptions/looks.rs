//! The times at which a worker checks an invoice whose payment has no outcome. (Facts 7.11)

use multirail_conformance::Shop;
use multirail_conformance::bodies::HELD;
use multirail_conformance::response::moment;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{DAY, call, id, invoice_becomes, now, offers, subscribed, until, wanted_with};

/// The worker checks after a minute, then five times every five minutes, then hourly. Meanwhile the processor reveals
/// nothing about the charge.
#[tokio::test]
async fn an_invoice_is_checked_after_a_minute_and_five_times_every_five_minutes() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::LosesAnswer);
    script.next_times(1_000, ScriptedCall::LookUp, &Fault::FailsBefore(503));
    shop.time_passes(31 * DAY).await;
    let pending = invoice_becomes(&shop, &active, 2, "payment_pending").await;
    let mut before = moment(&pending["created_at"]);
    // The unknown outcome is recorded.
    until(&shop, &active, |now| moment(&now["modified_at"]) > before).await;
    for pause in [60, 300, 300, 300, 300, 300] {
        shop.time_passes(pause - 20).await;
        shop.time_passes(20).await;
        let after = |now: &Value| (moment(&now["modified_at"]) - before).num_seconds();
        let seen = until(&shop, &active, |now| after(now) >= pause).await;
        assert!(after(&seen) < pause + 20, "{pause}: {seen:#}");
        before = moment(&seen["modified_at"]);
    }

    script.clear();
    let then = now(&shop, &active).await;
    assert_eq!(then["invoice"]["status"], "payment_pending");
    let paid = shop.asks_about(&then["payment"]).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // An outcome that the server knows doesn't wait for the hourly check.
    let paid = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 1);
    assert_eq!(shop.money().captured, 2 * 990);
}

/// A first payment is held for review. After the merchant's decision the subscription starts at once, before the next
/// check.
#[tokio::test]
async fn the_merchants_decision_takes_effect_at_once() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = call(&shop, "subscriptions_create_and_confirm");
    let made = made.json(&wanted_with("reader_monthly", HELD)).await.ok();
    assert_eq!(made["status"], "pending");
    let begun = moment(&made["modified_at"]);
    shop.time_passes(60).await;
    // The next check comes five minutes later.
    until(&shop, &made, |now| moment(&now["modified_at"]) > begun).await;

    let approved = shop.approves(&made["payment"]).await.ok();
    assert_eq!(approved["status"], "succeeded");
    let paid = invoice_becomes(&shop, &made, 1, "invoice_paid").await;
    assert_eq!(paid["attempt_count"], 1);
    let begun = now(&shop, &made).await;
    assert_eq!(begun["status"], "active");
    assert!(begun["payment_method_id"].is_string(), "{begun:#}");

    let filter = json!({ "object_id": id(&made), "event_types": ["invoice_paid"] });
    let told = shop.server.operator("events_list");
    let told = told.at("merchant_id", "bookshop").json(&filter).await.ok();
    assert_eq!(told["total_count"], 1, "{told}");
    assert_eq!(shop.money().captured, 990);
}
