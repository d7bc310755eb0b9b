//! Workers of several servers share due work.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, PENDING, order_with, paid_with};
use multirail_conformance::patience::{until, until_found};
use multirail_server::config::Setting;
use serde_json::json;
use tokio::task::JoinSet;

use crate::fault_proxy::FaultProxy;
use crate::payments::capture_scheduled::in_ten_minutes;
use crate::payments::{authorized, becomes, events_of};
use crate::servers::site::{Site, moved};

/// Opens a shop at two servers on one database, with the processor behind the proxy.
pub async fn at_two_servers(site: &Site, proxy: &FaultProxy) -> (Shop, Shop) {
    let on_road = |folder| {
        site.server_with(folder, |inputs| {
            inputs.with(Setting::SimulatorUrl, proxy.url())
        })
    };
    let here = on_road("one").await.shop("bookshop").await;
    let (there, _) = moved(here.clone(), on_road("two").await);
    (here, there)
}

#[tokio::test]
async fn each_open_payment_is_asked_about_by_one_of_them() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    let mut open = Vec::new();
    for number in 0..40 {
        let shop = if number % 2 == 0 { &here } else { &there };
        let payment = shop.creates(order_with(PENDING)).await.ok();
        let pending = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(pending["status"], "processing");
        open.push(payment);
    }
    assert_eq!(proxy.seen("GET /fauxpay/authorizations"), 0);

    // All syncs are due at once, at both servers.
    here.time_passes(120).await;
    for payment in &open {
        until_found("it is known what became of it", async || {
            let now = there.retrieves(payment).await.ok();
            if now["status"] == "succeeded" {
                return Ok(());
            }
            let questions = proxy.seen("GET /fauxpay/authorizations");
            Err(format!("after {questions} questions: {now}"))
        })
        .await;
    }
    assert_eq!(
        proxy.seen("GET /fauxpay/authorizations"),
        40,
        "nobody asked what another one was asking"
    );
}

/// Twenty-four refunds at once, half of them at each server: together they never exceed the captured amount.
#[tokio::test(flavor = "multi_thread")]
async fn refunds_at_both_never_exceed_what_was_captured() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    let payment = here.creates(paid_with(APPROVED)).await.ok();
    let mut crowd = JoinSet::new();
    for number in 0..24 {
        let shop = if number % 2 == 0 { &here } else { &there };
        let call = shop.refunds(&payment, json!({ "amount": 1000 }));
        crowd.spawn(async move { call.await });
    }
    let answers = crowd.join_all().await;
    let won = answers.iter().filter(|one| one.status == 200).count();
    for answer in &answers {
        let is_expected = answer.body["status"] == "succeeded" || answer.is_refusal(400, "IR_13");
        assert!(is_expected, "{answer:?}");
    }
    assert_eq!(won, 6, "they wait for each other");
    assert_eq!(proxy.seen("POST /fauxpay/refunds"), won);
    let went_back = 1000 * i64::try_from(won).expect("a small number");
    assert_eq!(proxy.money().refunded, went_back);
    for shop in [&here, &there] {
        let read = shop.retrieves(&payment).await.ok();
        let total = &read["state_metadata"]["total_refunded_amount"];
        assert_eq!(*total, went_back);
    }
}

/// Only one server sends each scheduled refund.
#[tokio::test]
async fn each_scheduled_refund_is_asked_for_once() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    let mut scheduled = Vec::new();
    for number in 0..20 {
        let shop = if number % 2 == 0 { &here } else { &there };
        let payment = shop.creates(paid_with(APPROVED)).await.ok();
        let refund = shop.refunds(&payment, json!({ "refund_type": "scheduled" }));
        scheduled.push(refund.await.ok());
    }
    for refund in &scheduled {
        let now = async || there.retrieves_refund(refund).await.ok();
        until("it is made", now, |now| now["status"] == "succeeded").await;
    }
    assert_eq!(proxy.seen("POST /fauxpay/refunds"), 20);
    assert_eq!(proxy.money().refunded, 20 * 6540);
}

/// Only one server makes each scheduled capture, although all are due at once at both servers.
#[tokio::test]
async fn each_scheduled_capture_is_asked_for_once() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    let mut scheduled = Vec::new();
    for number in 0..20 {
        let shop = if number % 2 == 0 { &here } else { &there };
        scheduled.push(in_ten_minutes(shop, json!({})).await);
    }
    assert_eq!(proxy.seen("POST /fauxpay/captures"), 0);
    here.time_passes(601).await;
    for payment in &scheduled {
        becomes(&there, payment, "succeeded").await;
    }
    assert_eq!(proxy.seen("POST /fauxpay/captures"), 20);
    assert_eq!(proxy.money().captured, 20 * 6540);
}

/// Only one server syncs each expired authorization, which expires once.
#[tokio::test]
async fn each_authorization_expires_once() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    let mut held = Vec::new();
    for number in 0..20 {
        let shop = if number % 2 == 0 { &here } else { &there };
        held.push(authorized(shop, "manual").await);
    }
    let week = 7 * 86_400;
    proxy.time_passes(week);
    here.time_passes(week).await;
    for payment in &held {
        becomes(&there, payment, "expired").await;
        let told = events_of(&here, payment).await;
        let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
        assert_eq!(told, ["payment_authorized", "payment_expired"]);
    }
    assert_eq!(proxy.seen("GET /fauxpay/authorizations"), 20);
    assert_eq!(proxy.money().released, 20 * 6540);
}
