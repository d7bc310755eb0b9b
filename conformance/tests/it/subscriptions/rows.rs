//! Rows of facts 1.17, 3.13 and 7.11 that no other scenario covers.

use multirail_conformance::bodies::{APPROVED, DECLINED, PENDING, with};
use multirail_conformance::patience;
use multirail_conformance::{Engine, Shop, TestServer};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use crate::billing::makes;

use super::{
    DAY, call, declined, invoice_becomes, invoices, now, offers, on, operations_on_a_subscription,
    pays_with, subscribed, until, wanted, wanted_with,
};

/// An issuer's decline that forbids any retry.
fn never_again() -> Fault {
    Fault::Declines {
        code: "DC_08".to_owned(),
        message: "Payment declined: Stolen card".to_owned(),
    }
}

#[tokio::test]
async fn a_trial_ends_in_a_paid_period() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let trial = subscribed(&shop, "reader_trial").await;
    assert_eq!(
        (&trial["status"], shop.money().captured),
        (&json!("trial"), 0)
    );
    shop.time_passes(13 * DAY).await;
    assert_eq!(now(&shop, &trial).await["status"], "trial");
    shop.time_passes(DAY).await;
    let first = invoice_becomes(&shop, &trial, 2, "invoice_paid").await;
    assert_eq!(first["period_start"], trial["next_billing_at"]);
    assert_eq!(now(&shop, &trial).await["status"], "active");
    assert_eq!(shop.money().captured, 990);
}

#[tokio::test]
async fn it_is_paused_at_a_date() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let clock = shop.time_passes(0).await;
    let today = clock["now"].as_str().expect("a moment");
    let today = chrono::DateTime::parse_from_rfc3339(today).expect("a moment");
    let date = (today + chrono::Duration::days(10)).to_rfc3339();
    let pause = |body: Value| on(&shop, "subscriptions_pause", &active).json(&body);
    let at_a_date = json!({ "pause_option": "specific_date" });
    let said = pause(at_a_date.clone()).await.refused(400, "IR_04");
    assert!(said.starts_with("pause_at"), "{said}");
    let past = json!({ "pause_at": "2020-01-01T00:00:00Z" });
    pause(with(at_a_date.clone(), past))
        .await
        .refused(422, "IR_06");
    pause(json!({ "pause_at": date }))
        .await
        .refused(422, "IR_06");
    let planned = pause(with(at_a_date, json!({ "pause_at": date })));
    let planned = planned.await.ok();
    assert_eq!(planned["status"], "active");
    let at = |value: &Value| {
        let text = value.as_str().expect("a moment");
        let moment = chrono::DateTime::parse_from_rfc3339(text).expect("a moment");
        moment.timestamp()
    };
    assert_eq!(at(&planned["paused_at"]), at(&json!(date)));
    shop.time_passes(9 * DAY).await;
    assert_eq!(now(&shop, &active).await["status"], "active");
    shop.time_passes(DAY).await;
    let paused = until(&shop, &active, |now| now["status"] == "paused").await;
    assert_eq!(at(&paused["paused_at"]), at(&json!(date)));
    assert!(paused["next_billing_at"].is_null());
    assert_eq!(invoices(&shop, &active).await.len(), 1);
}

/// Resuming leaves invoices from before the pause open, or collects them.
#[tokio::test]
async fn a_resumption_collects_what_was_unpaid_where_that_is_wanted() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for (handling, status) in [
        ("no_action", "payment_failed"),
        ("schedule_payment_collection", "invoice_paid"),
    ] {
        let active = subscribed(&shop, "reader_monthly").await;
        shop.server
            .next_call_meets(ScriptedCall::Authorize, declined());
        shop.time_passes(31 * DAY).await;
        invoice_becomes(&shop, &active, 2, "payment_failed").await;
        on(&shop, "subscriptions_pause", &active).await.ok();
        shop.time_passes(5 * DAY).await;
        let resume = json!({ "unpaid_invoices_handling": handling });
        let resume = on(&shop, "subscriptions_resume", &active).json(&resume);
        resume.await.ok();
        invoice_becomes(&shop, &active, 3, "invoice_paid").await;
        let second = async || invoices(&shop, &active).await[1]["status"].clone();
        if status == "invoice_paid" {
            let status = |now: &Value| now == status;
            patience::until("it is collected", second, status).await;
        }
        assert_eq!(second().await, status, "{handling}");
        on(&shop, "subscriptions_cancel", &active)
            .json(&json!({}))
            .await
            .ok();
    }
}

/// The network forbids retries, so the subscription is unpaid at once, and can be cancelled.
#[tokio::test]
async fn a_card_that_may_not_be_tried_again_is_not() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, never_again());
    shop.time_passes(31 * DAY).await;
    let unpaid = until(&shop, &active, |now| now["status"] == "unpaid").await;
    assert_eq!(unpaid["invoice"]["attempt_count"], 1);
    assert!(unpaid["invoice"]["next_attempt_at"].is_null());
    shop.time_passes(20 * DAY).await;
    let still = now(&shop, &active).await;
    assert_eq!(still["invoice"]["attempt_count"], 1);
    let cancel = json!({ "account_receivables_handling": "write_off" });
    let over = on(&shop, "subscriptions_cancel", &active).json(&cancel);
    assert_eq!(over.await.ok()["status"], "cancelled");
    let second = &invoices(&shop, &active).await[1];
    assert_eq!(second["status"], "voided");
    assert_eq!(shop.money().captured, 990);
}

/// The processor captured another amount than requested; the merchant decides.
#[tokio::test]
async fn an_invoice_in_review_is_voided_or_charged_again() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for (operation, status) in [
        ("subscriptions_void_invoice", "voided"),
        ("subscriptions_collect_invoice", "invoice_paid"),
    ] {
        let active = subscribed(&shop, "reader_monthly").await;
        let fault = Fault::ApprovesOnly(500);
        shop.server.next_call_meets(ScriptedCall::Authorize, fault);
        shop.time_passes(31 * DAY).await;
        let odd = invoice_becomes(&shop, &active, 2, "manual_review").await;
        let invoice = odd["id"].as_str().expect("an id");
        on(&shop, operation, &active)
            .at("invoice_id", invoice)
            .await
            .ok();
        invoice_becomes(&shop, &active, 2, status).await;
        on(&shop, "subscriptions_cancel", &active)
            .json(&json!({}))
            .await
            .ok();
    }
}

/// A finished subscription can't change, however it ended, and only a paused one can be resumed.
#[tokio::test]
async fn a_finished_subscription_stays_finished() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let cancelled = subscribed(&shop, "reader_monthly").await;
    on(&shop, "subscriptions_cancel", &cancelled)
        .json(&json!({}))
        .await
        .ok();
    let failed = call(&shop, "subscriptions_create_and_confirm");
    let failed = failed.json(&wanted_with("reader_monthly", DECLINED));
    let failed = failed.await.ok();
    assert_eq!(failed["status"], "failed");
    let once = subscribed(&shop, "reader_once").await;
    assert_eq!(once["status"], "onetime");
    for over in [&cancelled, &failed, &once] {
        is_over(&shop, over).await;
    }
}

/// Every status that isn't final can be cancelled at once, and only a paused one resumed.
#[tokio::test]
async fn all_that_goes_on_can_be_cancelled() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let unpaid = subscribed(&shop, "reader_daily").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, never_again());
    shop.time_passes(DAY).await;
    until(&shop, &unpaid, |now| now["status"] == "unpaid").await;
    let created = call(&shop, "subscriptions_create").json(&wanted("reader_monthly"));
    let created = created.await.ok();
    let trial = subscribed(&shop, "reader_trial").await;
    let active = subscribed(&shop, "reader_monthly").await;
    for (one, status) in [
        (&created, "created"),
        (&trial, "trial"),
        (&active, "active"),
        (&unpaid, "unpaid"),
    ] {
        goes_on_and_is_cancelled(&shop, one, status).await;
    }
    // Comes last, because the worker settles a pending payment at its next check, in a minute.
    let pending = call(&shop, "subscriptions_create_and_confirm");
    let pending = pending.json(&wanted_with("reader_monthly", PENDING));
    let pending = pending.await.ok();
    goes_on_and_is_cancelled(&shop, &pending, "pending").await;
}

async fn goes_on_and_is_cancelled(shop: &Shop, subscription: &Value, status: &str) {
    assert_eq!(now(shop, subscription).await["status"], status);
    let resume = on(shop, "subscriptions_resume", subscription).json(&json!({}));
    resume.await.refused(400, "IR_16");
    let cancel = on(shop, "subscriptions_cancel", subscription).json(&json!({}));
    assert_eq!(cancel.await.ok()["status"], "cancelled");
    is_over(shop, subscription).await;
}

/// Every request must name the profile, and an unknown one is refused.
#[tokio::test]
async fn every_operation_names_its_profile() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let invoice = active["invoice"]["id"].as_str().expect("an id");
    let mut operations = vec![
        ("subscriptions_create", Some(wanted("reader_monthly"))),
        (
            "subscriptions_create_and_confirm",
            Some(wanted_with("reader_monthly", APPROVED)),
        ),
        ("subscriptions_list", None),
    ];
    operations.extend(operations_on_a_subscription());
    for (operation, body) in &operations {
        let bare = || {
            let call = shop.call(operation);
            let call = call.at("subscription_id", super::id(&active));
            let call = call.at("invoice_id", invoice);
            match body {
                Some(body) => call.json(body),
                None => call,
            }
        };
        let said = bare().await.refused(400, "IR_04");
        assert!(said.starts_with("X-Profile-Id"), "{operation}: {said}");
        let unknown = bare().header("X-Profile-Id", "pro_none");
        unknown.await.refused(404, "HE_02");
    }
    assert_eq!(now(&shop, &active).await["status"], "active");
    let list = call(&shop, "subscriptions_list").await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "none was made");
}

#[tokio::test]
async fn trace_m_on_sqlite() {
    super::resume::trace_m(opened(Engine::Sqlite).await).await;
}

#[tokio::test]
async fn trace_m_on_postgres() {
    if crate::servers::site::Site::on_postgres().await.is_some() {
        super::resume::trace_m(opened(Engine::Postgres).await).await;
    }
}

#[tokio::test]
async fn a_price_with_an_end_on_sqlite() {
    ends(opened(Engine::Sqlite).await).await;
}

#[tokio::test]
async fn a_price_with_an_end_on_postgres() {
    if crate::servers::site::Site::on_postgres().await.is_some() {
        ends(opened(Engine::Postgres).await).await;
    }
}

/// After its last period the subscription is over, and can't change.
async fn ends(shop: Shop) {
    offers(&shop).await;
    let twice = |more: Value| {
        let of = json!({ "item_id": "reader", "amount": 300, "taxes": null, "billing_cycles": 2 });
        makes(&shop, "item_price_id", "reader_twice", with(of, more))
    };
    let once = twice(json!({ "interval": null })).await;
    once.refused(422, "IR_06");
    let price = twice(json!({ "interval": "day" })).await.ok();
    assert_eq!(price["billing_cycles"], 2);
    let active = subscribed(&shop, "reader_twice").await;
    assert!(active["next_billing_at"].is_string(), "{active}");
    shop.time_passes(DAY).await;
    let last = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    let then = now(&shop, &active).await;
    assert_eq!(then["status"], "active");
    assert!(then["next_billing_at"].is_null(), "nothing is billed next");
    assert_eq!(then["current_period_end"], last["period_end"]);
    shop.time_passes(DAY).await;
    let over = until(&shop, &active, |now| now["status"] == "in_active").await;
    assert_eq!(over["current_period_end"], last["period_end"]);
    shop.time_passes(3 * DAY).await;
    assert_eq!(invoices(&shop, &active).await.len(), 2);
    assert_eq!(shop.money().captured, 600);
    is_over(&shop, &active).await;
}

/// Checks that every operation on it is refused.
async fn is_over(shop: &Shop, subscription: &Value) {
    let status = now(shop, subscription).await["status"].clone();
    let dearer = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
    for (operation, body) in [
        (
            "subscriptions_confirm",
            json!({ "payment_details": pays_with(APPROVED) }),
        ),
        ("subscriptions_update", dearer),
        ("subscriptions_pause", json!({})),
        ("subscriptions_resume", json!({})),
        ("subscriptions_cancel", json!({})),
    ] {
        let said = on(shop, operation, subscription).json(&body).await;
        let said = said.refused(400, "IR_16");
        let ends = format!("because it has status {}", status.as_str().unwrap_or("-"));
        assert!(said.ends_with(&ends), "{operation}: {said}");
    }
    let credit = on(shop, "subscriptions_refund_credit", subscription);
    credit.await.refused(400, "IR_16");
    assert_eq!(now(shop, subscription).await["status"], status);
}

pub async fn opened(engine: Engine) -> Shop {
    let server = TestServer::start_on(engine, |inputs| inputs).await;
    server.shop("bookshop").await
}
