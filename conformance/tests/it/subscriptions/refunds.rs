//! The credit of a cancelled subscription is refunded once, to the payments that paid. (Facts 1.17)

use std::time::Duration;

use multirail_conformance::Shop;
use multirail_conformance::bodies::DISPUTED;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::renewals::doomed;
use super::update::lines;
use super::{
    DAY, call, declined, id, invoice_becomes, invoices, now, offers, on, subscribed, until,
    until_in_steps, wanted_with,
};
use crate::disputes::{shop_with_notice_secret, stands};
use crate::fault_proxy::FaultProxy;
use crate::notices::sent::hears;
use crate::servers::site::{Site, closed};
use crate::unknown::work::at_two_servers;

const HOUR: i64 = 3_600;

/// Options that refund the whole period to the payer.
fn all_back() -> Value {
    json!({
        "credit_option_for_current_term_charges": "full",
        "refundable_credits_handling": "schedule_refund",
    })
}

async fn cancels(shop: &Shop, subscription: &Value) -> Value {
    let call = on(shop, "subscriptions_cancel", subscription);
    call.json(&all_back()).await.ok()
}

/// Waits until the subscription's refunds have these statuses.
async fn refunds_become(shop: &Shop, subscription: &Value, statuses: &[&str]) -> Value {
    let are_so = |now: &Value| {
        let refunds = now["refunds"].as_array().expect("a list");
        let are: Vec<_> = refunds.iter().map(|it| it["status"].as_str()).collect();
        are == statuses.iter().map(|it| Some(*it)).collect::<Vec<_>>()
    };
    until_in_steps(shop, subscription, 5, are_so).await
}

/// Checks that paid amounts equal invoices' lines plus credit plus refunds.
async fn adds_up(shop: &Shop, subscription: &Value, by_hand: i64) {
    let now = now(shop, subscription).await;
    let mut paid = 0;
    let mut worth = 0;
    for invoice in invoices(shop, subscription).await {
        assert_eq!(invoice["status"], "invoice_paid");
        paid += invoice["amount"].as_i64().expect("an amount");
        for line in invoice["lines"].as_array().expect("lines") {
            let kind = line["kind"].as_str().expect("a word");
            if !kind.starts_with("credit_") {
                worth += line["amount"].as_i64().expect("an amount");
            }
        }
    }
    let amount = |member: &str| now[member].as_i64().expect("an amount");
    assert_eq!(
        paid,
        worth + amount("credit_amount") + amount("refunded_amount"),
        "{now:#}"
    );
    let money = shop.money();
    assert_eq!(money.captured, paid);
    assert_eq!(money.refunded, amount("refunded_amount") + by_hand);
}

#[tokio::test]
async fn credit_goes_back_to_the_payment() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let over = cancels(&shop, &active).await;
    assert_eq!(over["credit_amount"], 990);
    let seen = refunds_become(&shop, &active, &["succeeded"]).await;
    assert_eq!(
        (&seen["credit_amount"], &seen["refunded_amount"]),
        (&json!(0), &json!(990))
    );
    let refund = &seen["refunds"][0];
    assert_eq!(refund["amount"], 990);
    let payment = &active["payment"]["payment_id"];
    assert_eq!(&refund["payment_id"], payment);
    let whole = shop.retrieves_refund(refund).await.ok();
    assert_eq!(whole["status"], "succeeded");
    assert_eq!(
        whole["reason"],
        format!("credit of the subscription {}", id(&active))
    );
    let paid = shop.retrieves(&json!({ "payment_id": payment })).await.ok();
    assert_eq!(paid["state_metadata"]["total_refunded_amount"], 990);
    adds_up(&shop, &active, 0).await;
}

/// Creates a subscription that was renewed once; returns the renewal's payment too.
async fn renewed() -> (Shop, Value, Value) {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.time_passes(31 * DAY).await;
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    let newest = json!({ "payment_id": second["payment_intent_id"] });
    (shop, active, newest)
}

/// Half of the payment became credit; the other half pays this period at its new price. A manual refund uses the
/// credit first. The rest was already spent, and is owed.
#[tokio::test]
async fn credit_goes_with_a_payment_that_is_refunded_by_hand() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_plus_monthly").await;
    let cheaper = json!({ "plan_id": "reader", "item_price_id": "reader_monthly" });
    let update = on(&shop, "subscriptions_update", &active).json(&cheaper);
    assert_eq!(update.await.ok()["credit_amount"], 1_000);
    let by_hand = async |amount: i64| {
        let payment = &active["payment"];
        shop.refunds(payment, json!({ "amount": amount }))
            .await
            .ok()
    };
    by_hand(1_000).await;
    let seen = until(&shop, &active, |now| now["credit_amount"] == 0).await;
    assert_eq!(seen["owed_amount"], 0);
    by_hand(990).await;
    until(&shop, &active, |now| now["owed_amount"] == 990).await;
    shop.time_passes(31 * DAY).await;
    let third = invoice_becomes(&shop, &active, 3, "invoice_paid").await;
    assert_eq!(third["amount"], 990, "the next period is paid for");
}

/// A part of the newest payment was refunded manually, so only the rest is refunded.
#[tokio::test]
async fn a_manual_refund_is_not_repeated() {
    let (shop, active, newest) = renewed().await;
    let by_hand = shop.refunds(&newest, json!({ "amount": 600 })).await.ok();
    assert_eq!(by_hand["status"], "succeeded");
    let over = cancels(&shop, &active).await;
    assert_eq!(over["credit_amount"], 390);
    let seen = refunds_become(&shop, &active, &["succeeded"]).await;
    let only = &seen["refunds"][0];
    assert_eq!(
        (&only["payment_id"], &only["amount"]),
        (&newest["payment_id"], &json!(390))
    );
    adds_up(&shop, &active, 600).await;
}

/// Everything was refunded manually, so nothing else is: neither from the earlier payment nor as credit.
#[tokio::test]
async fn a_whole_manual_refund_leaves_nothing_to_refund() {
    let (shop, active, newest) = renewed().await;
    shop.refunds(&newest, json!({})).await.ok();
    let over = cancels(&shop, &active).await;
    assert_eq!(over["credit_amount"], 0);
    shop.time_passes(DAY).await;
    refunds_become(&shop, &active, &[]).await;
    assert_eq!(shop.money().refunded, 990);
    adds_up(&shop, &active, 990).await;

    let cheaper = json!({ "plan_id": "reader", "item_price_id": "reader_monthly" });
    let changed = subscribed(&shop, "reader_plus_monthly").await;
    shop.refunds(&changed["payment"], json!({})).await.ok();
    let update = on(&shop, "subscriptions_update", &changed).json(&cheaper);
    assert_eq!(update.await.ok()["credit_amount"], 0);
    let second = invoice_becomes(&shop, &changed, 2, "invoice_paid").await;
    assert_eq!(lines(&second), [("proration".to_owned(), 990)]);

    let paused = subscribed(&shop, "reader_monthly").await;
    let pause = on(&shop, "subscriptions_pause", &paused).json(&json!({}));
    pause.await.ok();
    shop.refunds(&paused["payment"], json!({})).await.ok();
    let resume = on(&shop, "subscriptions_resume", &paused).json(&json!({}));
    resume.await.ok();
    let second = invoice_becomes(&shop, &paused, 2, "invoice_paid").await;
    assert_eq!(lines(&second), [("subscription".to_owned(), 990)]);
}

/// The payer got the money back from their bank.
#[tokio::test]
async fn the_amount_of_a_lost_dispute_is_not_refunded() {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    offers(&shop).await;
    let body = wanted_with("reader_monthly", DISPUTED);
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let active = made.await.ok();
    assert_eq!(active["status"], "active");
    let dispute = stands(&shop, &active["payment"], "dispute", "dispute_opened").await;
    let dispute_id = dispute["dispute_id"].as_str().expect("an id");
    let accept = shop.call("disputes_accept").at("dispute_id", dispute_id);
    assert_eq!(accept.await.ok()["dispute_status"], "dispute_accepted");
    assert_eq!(cancels(&shop, &active).await["credit_amount"], 0);
}

/// A manual refund reduces the credit, whichever comes first.
#[tokio::test]
async fn a_concurrent_manual_refund_takes_nothing_twice() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for _ in 0..6 {
        let active = subscribed(&shop, "reader_daily").await;
        let payment = json!({ "payment_id": active["payment"]["payment_id"] });
        let by_hand = shop.refunds(&payment, json!({ "amount": 70 }));
        let call = on(&shop, "subscriptions_cancel", &active).json(&all_back());
        let (over, by_hand) = tokio::join!(call, by_hand);
        let given = over.ok()["credit_amount"].as_i64().expect("an amount");
        assert!([30, 100].contains(&given), "{given}");
        let taken = if by_hand.status == 200 { 70 } else { 0 };
        let seen = refunds_become(&shop, &active, &["succeeded"]).await;
        assert_eq!(seen["refunded_amount"], 100 - taken);
        let seen = until(&shop, &active, |now| now["credit_amount"] == 0).await;
        assert_eq!(seen["owed_amount"], 0, "{seen:#}");
    }
    assert_eq!(shop.money().captured, 600);
    assert_eq!(shop.money().refunded, 600, "one way or the other");
}

#[tokio::test]
async fn a_refund_that_fails_is_credit_again() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Refund, declined());
    cancels(&shop, &active).await;
    let seen = refunds_become(&shop, &active, &["failed"]).await;
    assert_eq!(
        (&seen["credit_amount"], &seen["refunded_amount"]),
        (&json!(990), &json!(0))
    );
    let why = seen["refunds"][0]["failure_reason"].as_str();
    assert!(why.is_some_and(|why| why.starts_with("DC_08")), "{seen}");
    shop.time_passes(2 * DAY).await;
    let later = now(&shop, &active).await;
    assert_eq!(later["refunds"].as_array().map(Vec::len), Some(1));
    adds_up(&shop, &active, 0).await;
}

/// The processor can't be reached at first, and later can.
#[tokio::test]
async fn a_refund_that_never_reached_the_processor_is_sent_again() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Refund, Fault::LosesRequest);
    cancels(&shop, &active).await;
    refunds_become(&shop, &active, &["failed"]).await;
    shop.time_passes(HOUR).await;
    let seen = refunds_become(&shop, &active, &["failed", "succeeded"]).await;
    assert_eq!(
        (&seen["credit_amount"], &seen["refunded_amount"]),
        (&json!(0), &json!(990))
    );
    let why = seen["refunds"][0]["failure_reason"].as_str();
    assert!(why.is_some_and(|why| why.starts_with("not_processed")));
    adds_up(&shop, &active, 0).await;
}

/// The outcome is unknown at first. Later a sync finds that the refund was made once.
#[tokio::test]
async fn a_refund_without_an_outcome_stays_taken() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    for call in [ScriptedCall::LookUp, ScriptedCall::LookUp] {
        shop.server.next_call_meets(call, Fault::TimesOut);
    }
    shop.server
        .next_call_meets(ScriptedCall::Refund, Fault::LosesAnswer);
    cancels(&shop, &active).await;
    let is_open = |now: &Value| now["refunds"][0]["status"] == "pending";
    let open = until(&shop, &active, is_open).await;
    assert_eq!(
        (&open["credit_amount"], &open["refunded_amount"]),
        (&json!(0), &json!(990))
    );
    refunds_become(&shop, &active, &["succeeded"]).await;
    adds_up(&shop, &active, 0).await;
}

/// The credit stayed when the subscription ended, and no other subscription uses it. The merchant has it refunded
/// later, and repeats that after a failure.
#[tokio::test]
async fn credit_that_stayed_is_refunded_later() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let refund = || on(&shop, "subscriptions_refund_credit", &active);
    let said = refund().await.refused(400, "IR_16");
    assert!(said.ends_with("because it has status active"), "{said}");
    let options = json!({ "credit_option_for_current_term_charges": "full" });
    let cancel = on(&shop, "subscriptions_cancel", &active).json(&options);
    assert_eq!(cancel.await.ok()["credit_amount"], 990);
    let next = subscribed(&shop, "reader_monthly").await;
    assert_eq!(next["payment"]["amount"], 990, "it is the other one's own");
    shop.time_passes(3 * DAY).await;
    assert_eq!(now(&shop, &active).await["credit_amount"], 990);
    shop.server
        .next_call_meets(ScriptedCall::Refund, declined());
    assert_eq!(refund().await.ok()["status"], "cancelled");
    refunds_become(&shop, &active, &["failed"]).await;
    refund().await.ok();
    let seen = refunds_become(&shop, &active, &["failed", "succeeded"]).await;
    assert_eq!(
        (&seen["credit_amount"], &seen["refunded_amount"]),
        (&json!(0), &json!(990))
    );
    let said = refund().await.refused(400, "IR_16");
    assert_eq!(
        said,
        "the subscription has no credit that could be refunded"
    );
    assert_eq!(shop.money().refunded, 990);
}

/// Credit that arises after the end is refunded then.
#[tokio::test]
async fn an_open_invoice_that_is_paid_after_the_end_is_refunded() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_daily").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    shop.time_passes(DAY).await;
    let open = invoice_becomes(&shop, &active, 2, "payment_failed").await;
    assert_eq!(cancels(&shop, &active).await["credit_amount"], 0);
    let invoice_id = open["id"].as_str().expect("an id");
    let collect = on(&shop, "subscriptions_collect_invoice", &active);
    collect.at("invoice_id", invoice_id).await.ok();
    let seen = refunds_become(&shop, &active, &["succeeded"]).await;
    let second = &invoices(&shop, &active).await[1];
    assert_eq!(
        seen["refunds"][0]["payment_id"],
        second["payment_intent_id"]
    );
    adds_up(&shop, &active, 0).await;
}

const SUBSCRIPTIONS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn each_is_refunded_once_by_servers_that_die_on_sqlite() {
    dies(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_refunded_once_by_servers_that_die_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        dies(site).await;
    }
}

/// The server dies after the subscription's end and before, during or after the sending of its refund. A refund that
/// was never sent is sent again.
async fn dies(site: Site) {
    let (mut runtime, server) = doomed(&site).await;
    let mut shop = server.shop("bookshop").await;
    drop(server);
    offers(&shop).await;
    let mut all = Vec::new();
    // A scheduled refund is sent after two seconds.
    for after in [0, 3, 30, 1_990, 2_010, 2_100] {
        for _ in 0..SUBSCRIPTIONS {
            let active = subscribed(&shop, "reader_daily").await;
            cancels(&shop, &active).await;
            all.push(active);
        }
        tokio::time::sleep(Duration::from_millis(after)).await;
        runtime.shutdown_background();
        let (old, left) = closed(shop);
        drop(old);
        let (next, server) = doomed(&site).await;
        runtime = next;
        shop = left.opens_at(server);
    }
    for subscription in &all {
        let is_refunded = |now: &Value| {
            let refunds = now["refunds"].as_array().expect("a list");
            let done = refunds.iter().filter(|it| it["status"] == "succeeded");
            done.count() == 1
        };
        let seen = until_in_steps(&shop, subscription, 180, is_refunded).await;
        assert_eq!(seen["refunded_amount"], 100);
        assert_eq!(seen["credit_amount"], 0);
    }
    let total = 100 * i64::try_from(all.len()).expect("few");
    assert_eq!(shop.money().captured, total);
    assert_eq!(shop.money().refunded, total, "each is refunded once");
    runtime.shutdown_background();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_refund_each_once() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    offers(&here).await;
    let mut all = Vec::new();
    for number in 0..12 {
        let shop = if number % 2 == 0 { &here } else { &there };
        let active = subscribed(shop, "reader_daily").await;
        cancels(shop, &active).await;
        all.push(active);
    }
    for subscription in &all {
        refunds_become(&there, subscription, &["succeeded"]).await;
    }
    assert_eq!(proxy.seen("POST /fauxpay/refunds"), 12);
    assert_eq!(proxy.money().refunded, 1_200);
}
