//! The page to which payers return needs no key, and syncs the payment.

use std::time::Duration;

use multirail_conformance::bodies::{THREE_DS, order_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::shop::id;
use multirail_conformance::{Call, Response, Shop, TestServer};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::fault_proxy::{FaultProxy, NetworkFault};

/// Opens a shop with a payer at the processor's page; returns the visit to the return page.
async fn waiting(proxy: &FaultProxy, max_requests: &str) -> (Shop, Call) {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::SimulatorUrl, proxy.url())
            .with(Setting::ProcessorDeadlineMs, "5000")
            .with(Setting::MaxRequests, max_requests)
    });
    let shop = server.await.shop("bookshop").await;
    let at_once = json!({ "confirm": true });
    let payment = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    let path = proxy.way_back(id(&payment));
    let visit = shop.wire.request(Method::GET, &path).unjudged();
    (shop, visit)
}

/// Visits the page while the processor's answer is slow.
async fn long_visit(proxy: &FaultProxy, visit: &Call) -> JoinHandle<Response> {
    proxy.next("GET /fauxpay/", NetworkFault::Late(Duration::from_secs(4)));
    let visit = visit.clone();
    let first = tokio::spawn(async move { visit.await });
    let asked = async || proxy.seen("GET /fauxpay/");
    until("the processor is asked", asked, |asked| *asked > 0).await;
    first
}

#[tokio::test(flavor = "multi_thread")]
async fn many_visits_ask_one_question_at_a_time() {
    let proxy = FaultProxy::new().await;
    let (_shop, visit) = waiting(&proxy, "100").await;
    let first = long_visit(&proxy, &visit).await;
    for _ in 0..10 {
        let answer = visit.clone().await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert!(!first.is_finished(), "others don't wait for its answer");
    assert_eq!(proxy.seen("GET /fauxpay/"), 1);
    assert_eq!(first.await.expect("a visit").status, 200);
    visit.clone().await;
    assert_eq!(proxy.seen("GET /fauxpay/"), 1, "visits pause");
    let visited = async || {
        visit.clone().await;
        proxy.seen("GET /fauxpay/")
    };
    until("a later visit asks again", visited, |seen| *seen == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn visits_are_refused_where_too_much_is_asked() {
    let proxy = FaultProxy::new().await;
    let (_shop, visit) = waiting(&proxy, "1").await;
    let first = long_visit(&proxy, &visit).await;
    let refused = visit.clone().await;
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(first.await.expect("a visit").status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_visit_asks_nothing() {
    let proxy = FaultProxy::new().await;
    let (shop, visit) = waiting(&proxy, "100").await;
    let payments = shop.call("payments_list").await.ok();
    let path = proxy.way_back(id(&payments["data"][0]));
    let (way, token) = path.rsplit_once('/').expect("a path of segments");
    let backwards: String = token.chars().rev().collect();
    for guess in [way.to_owned(), format!("{way}/{backwards}")] {
        let stranger = shop.wire.request(Method::GET, &guess).await;
        stranger.refused(404, "IR_02");
    }
    assert_eq!(proxy.seen("GET /fauxpay/"), 0);
    visit.await;
    assert_eq!(proxy.seen("GET /fauxpay/"), 1, "the payer's visit asks");
}
