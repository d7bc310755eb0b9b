//! The worker finds unknown outcomes without any caller.

use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, PENDING, UNKNOWN, order_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};

use super::{approved, reason, shop_on, standing};
use crate::fault_proxy::{FaultProxy, NetworkFault};
use crate::payments::settles;

/// Retrieves without force_sync until the payment leaves `processing`, within this time.
async fn settles_within(within: Duration, shop: &Shop, payment: &Value) -> Value {
    let limit = Instant::now() + within;
    loop {
        let now = shop.retrieves(payment).await.ok();
        if now["status"] != "processing" {
            return now;
        }
        assert!(Instant::now() < limit, "still not known: {now}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn an_unknown_outcome_is_asked_about_within_seconds() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let sale = shop.creates(order_with(APPROVED)).await.ok();
    let (captured, cancelled) = (
        approved(&shop, "manual").await,
        approved(&shop, "manual").await,
    );
    for request in ["authorizations", "captures", "voids"] {
        proxy.next(
            &format!("POST /fauxpay/{request}"),
            NetworkFault::AnswerReset,
        );
    }
    shop.confirms(&sale, json!({})).await.ok();
    shop.captures(&captured, json!({})).await.ok();
    shop.cancels(&cancelled, json!({})).await.ok();
    let soon = Duration::from_secs(20);
    assert_eq!(
        standing(&settles_within(soon, &shop, &sale).await),
        ("succeeded", 0, 6540)
    );
    assert_eq!(
        standing(&settles_within(soon, &shop, &captured).await),
        ("succeeded", 0, 6540)
    );
    assert_eq!(
        standing(&settles_within(soon, &shop, &cancelled).await),
        ("cancelled", 0, 0)
    );
}

#[tokio::test]
async fn a_processor_that_does_not_know_is_asked_every_day_for_ever() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let payment = shop
        .creates(with(
            order_with(APPROVED),
            json!({ "capture_method": "manual" }),
        ))
        .await
        .ok();
    proxy.next(
        "POST /fauxpay/authorizations",
        NetworkFault::AnswerSwallowed,
    );
    for _ in 0..1_000 {
        proxy.next(
            "GET /fauxpay/authorizations",
            NetworkFault::Instead(NetworkFault::answer(503, "")),
        );
    }
    shop.confirms(&payment, json!({})).await.ok();
    for day in 1..=20 {
        let before = proxy.seen("GET /fauxpay/authorizations");
        shop.time_passes(86_400).await;
        until(
            format!("somebody asks on day {day}"),
            async || proxy.seen("GET /fauxpay/authorizations"),
            |seen| *seen > before,
        )
        .await;
        assert_eq!(reason(&shop.retrieves(&payment).await.ok()), "timeout");
    }
    // Not much more often either: each move of the clock makes the sync due once.
    assert!(proxy.seen("GET /fauxpay/authorizations") < 60);
    proxy.is_clear();
    shop.time_passes(86_400).await;
    let known = settles(&shop, &payment).await;
    assert_eq!(standing(&known), ("requires_capture", 6540, 0));
}

/// A sync is sent before the clock moves, and never answered. The next one is due by the new time, not a day later.
#[tokio::test]
async fn a_clock_that_moves_during_a_question_makes_the_next_one_due() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    proxy.next("POST /fauxpay/authorizations", NetworkFault::AnswerReset);
    proxy.next("GET /fauxpay/authorizations", NetworkFault::Swallowed);
    let unknown = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(reason(&unknown), "connection_lost");
    let asked = async || proxy.seen("GET /fauxpay/authorizations");
    until("somebody asks", asked, |asked| *asked > 0).await;
    shop.time_passes(86_400).await;
    let known = settles(&shop, &payment).await;
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
    assert_eq!(proxy.seen("GET /fauxpay/authorizations"), 2);
}

#[tokio::test]
async fn finished_operations_do_not_delay_the_sync_of_others() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    // More operations than one pass of the worker takes.
    for _ in 0..60 {
        let payment = shop.creates(order_with(UNKNOWN)).await.ok();
        shop.confirms(&payment, json!({})).await.ok();
        let asked = shop.asks_about(&payment).await.ok();
        assert_eq!(asked["status"], "failed", "it never happened: {asked}");
    }
    // Until now each of them could still have arrived late.
    shop.time_passes(7_200).await;
    let payment = shop.creates(order_with(PENDING)).await.ok();
    let pending = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(pending["status"], "processing");
    shop.time_passes(7_200).await;
    let known = settles_within(Duration::from_secs(20), &shop, &payment).await;
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
}

/// A processor leaves every sync unanswered, and has more open payments than the worker syncs in parallel. A payment
/// at another processor is still synced long before the first timeout.
#[tokio::test]
async fn a_silent_processor_holds_up_no_other_one() {
    let proxy = FaultProxy::new().await;
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::SimulatorUrl, proxy.url())
            .with(Setting::ProcessorDeadlineMs, "120000")
    });
    let shop = server.await.shop("bookshop").await;
    for _ in 0..40 {
        proxy.next("POST /fauxpay/authorizations", NetworkFault::Reset);
        proxy.next("GET /fauxpay/", NetworkFault::Swallowed);
        let payment = shop.creates(order_with(APPROVED)).await.ok();
        let unknown = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(reason(&unknown), "connection_lost");
    }
    let asked = async || proxy.seen("GET /fauxpay/");
    until("16 questions", asked, |asked| *asked >= 16).await;
    // All payments are due by now.
    tokio::time::sleep(Duration::from_secs(3)).await;

    shop.reconnects(json!({ "disabled": true })).await.ok();
    shop.connects("stripe_test", json!({})).await.ok();
    proxy.next(
        "POST /stripe_test/authorizations",
        NetworkFault::AnswerReset,
    );
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let unknown = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(reason(&unknown), "connection_lost");
    let known = settles_within(Duration::from_secs(20), &shop, &payment).await;
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
    assert_eq!(proxy.seen("GET /fauxpay/"), 16, "half of what there is");
}
