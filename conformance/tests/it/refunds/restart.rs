//! A server dies in the middle of a refund. The next one learns the outcome, and the money is refunded once.

use std::time::Duration;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{amount, becomes, given_back, is_refunded, paid_with, settles, standing};
use crate::in_flight::once_the_lease_is_over;
use crate::servers::site::{Site, closed};

const KEY: &str = "idempotency-key";

fn part() -> Value {
    json!({ "amount": 2000, "refund_id": "return-2071" })
}

/// Kills the server while it waits for the processor, which has made the refund. Returns the shop at the next server.
async fn crashed_in_a_refund(site: &Site) -> (Shop, Value) {
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    let payment = paid_with(&shop, APPROVED).await;
    shop.processor().script().set_delay(Duration::from_secs(60));
    let first = shop.refunds(&payment, part()).header(KEY, "k");
    let first = tokio::spawn(first.send());
    is_refunded(&shop).await;
    doomed.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    let (server, shop) = closed(shop);
    drop(server);
    (shop.opens_at(site.server("one").await), payment)
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_found_out_on_sqlite() {
    found_out(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_found_out_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        found_out(site).await;
    }
}

/// Only the worker syncs, and meanwhile the amount is reserved.
async fn found_out(site: Site) {
    let (shop, payment) = crashed_in_a_refund(&site).await;
    shop.refunds(&payment, amount(4541))
        .await
        .refused(400, "IR_13");
    let refund = json!({ "refund_id": "return-2071" });
    let known = settles(&shop, &refund).await;
    assert_eq!(standing(&known), ("succeeded", 2000));
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 2000)
    );
    assert_eq!(shop.money().refunded, 2000, "once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_gets_the_answer_on_sqlite() {
    repeated(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_gets_the_answer_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        repeated(site).await;
    }
}

async fn repeated(site: Site) {
    let (shop, payment) = crashed_in_a_refund(&site).await;
    let again = shop.refunds(&payment, part()).header(KEY, "k");
    let answer = once_the_lease_is_over(|| again.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("idempotent-replayed"), Some("true"));
    assert_eq!(standing(&answer.body), ("succeeded", 2000));
    assert_eq!(again.clone().await.text, answer.text);
    assert_eq!(shop.money().refunded, 2000, "once");
    // Without the key it is another request, for an id that is taken.
    shop.refunds(&payment, part()).await.refused(400, "HE_01");
}

/// A client that hangs up changes nothing: the refund is made, and a repeat gets its answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(300));
    let call = shop.refunds(&payment, part()).header(KEY, "k");
    let gone = tokio::spawn(call.clone().send());
    is_refunded(&shop).await;
    gone.abort();
    let answer = once_the_lease_is_over(|| call.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(standing(&answer.body), ("succeeded", 2000));
    assert_eq!(shop.money().refunded, 2000, "once");
}

/// The server was stopped properly with a pending and a scheduled refund.
#[tokio::test]
async fn open_refunds_survive_a_restart() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    let pending = shop.refunds(&payment, amount(1000)).await.ok();
    let later = json!({ "amount": 2000, "refund_type": "scheduled" });
    let scheduled = shop.refunds(&payment, later).await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("it stops");
    let shop = shop.opens_at(site.server("one").await);
    // The scheduled refund is sent, pends and is synced; each step takes time.
    for (refund, amount) in [(&pending, 1000), (&scheduled, 2000)] {
        let done = becomes(&shop, refund, "succeeded").await;
        assert_eq!(standing(&done), ("succeeded", amount));
    }
    assert_eq!(shop.money().refunded, 3000);
}
