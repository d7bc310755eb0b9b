//! Syncs on behalf of callers: few at once, whoever the caller is.

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, THREE_DS, order_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::{Call, Response, Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::fault_proxy::{FaultProxy, NetworkFault};

/// The beginning of a sync's request line.
const QUESTION: &str = "GET /fauxpay/";
/// The delay of a late answer.
const LATE: Duration = Duration::from_secs(4);

async fn shop(proxy: &FaultProxy) -> Shop {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::SimulatorUrl, proxy.url())
            .with(Setting::ProcessorDeadlineMs, "60000")
            .with(Setting::ConnectorAccountConcurrency, "4")
    });
    server.await.shop("bookshop").await
}

/// Creates a payment whose payer is at the processor's page.
async fn waiting(shop: &Shop) -> Value {
    let at_once = json!({ "confirm": true });
    shop.creates(with(order_with(THREE_DS), at_once)).await.ok()
}

fn sent(call: &Call) -> JoinHandle<Response> {
    let call = call.clone();
    tokio::spawn(async move { call.await })
}

async fn is_asked(proxy: &FaultProxy, count: usize) {
    let seen = async || proxy.seen(QUESTION);
    until("the processor is asked", seen, |seen| *seen >= count).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_asks_one_at_a_time_and_pauses() {
    let proxy = FaultProxy::new().await;
    let shop = shop(&proxy).await;
    let payment = waiting(&shop).await;
    let asks = shop
        .payer_of(&payment)
        .retrieves()
        .query("force_sync", true);
    proxy.next(QUESTION, NetworkFault::Late(LATE));
    let first = sent(&asks);
    is_asked(&proxy, 1).await;
    for _ in 0..10 {
        let answer = asks.clone().await.ok();
        assert_eq!(answer["status"], "requires_customer_action");
    }
    assert!(!first.is_finished(), "nobody waits for its answer");
    first.await.expect("a task that ends").ok();
    asks.clone().await.ok();
    assert_eq!(proxy.seen(QUESTION), 1, "the pause");
    // The shop may still sync, and the payer's client syncs again later.
    shop.asks_about(&payment).await.ok();
    assert_eq!(proxy.seen(QUESTION), 2);
    let asked = async || {
        asks.clone().await.ok();
        proxy.seen(QUESTION)
    };
    until("the pause is over", asked, |seen| *seen == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merchants_questions_about_one_payment_share_an_answer() {
    let proxy = FaultProxy::new().await;
    let shop = shop(&proxy).await;
    let payment = waiting(&shop).await;
    proxy.next(QUESTION, NetworkFault::Late(LATE));
    let first = sent(&shop.asks_about(&payment));
    is_asked(&proxy, 1).await;
    let others: Vec<_> = (0..10).map(|_| sent(&shop.asks_about(&payment))).collect();
    first.await.expect("a task that ends").ok();
    for other in others {
        let answer = other.await.expect("a task that ends").ok();
        assert_eq!(answer["status"], "requires_customer_action");
    }
    // A call that came after the answer may have synced too.
    assert!(proxy.seen(QUESTION) <= 2, "{}", proxy.seen(QUESTION));
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_leave_places_to_payments() {
    let proxy = FaultProxy::new().await;
    let shop = shop(&proxy).await;
    let mut asking = Vec::new();
    for _ in 0..6 {
        let payment = waiting(&shop).await;
        proxy.next(QUESTION, NetworkFault::Late(LATE));
        asking.push(shop.asks_about(&payment));
    }
    let asking: Vec<_> = asking.iter().map(sent).collect();
    is_asked(&proxy, 2).await;
    let order = with(order_with(APPROVED), json!({ "confirm": true }));
    assert_eq!(shop.creates(order).await.ok()["status"], "succeeded");
    assert_eq!(proxy.seen(QUESTION), 2, "half of the account's calls");
    for one in asking {
        one.await.expect("a task that ends").ok();
    }
    assert_eq!(proxy.seen(QUESTION), 6);
}
