//! A year with servers that die in between: every period has one invoice, and each invoice one successful charge.

use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::Shop;
use multirail_conformance::patience::{until, until_found};
use multirail_conformance::response::moment;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{DAY, invoices, is_answered, now, offers, subscribed, until_in_steps};
use crate::fault_proxy::FaultProxy;
use crate::servers::site::{Site, closed};
use crate::unknown::work::at_two_servers;

const SUBSCRIPTIONS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_year_on_sqlite() {
    a_year(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_year_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        a_year(site).await;
    }
}

/// Starts a server in its own runtime, which can be killed.
pub async fn doomed(site: &Site) -> (Runtime, Arc<multirail_conformance::TestServer>) {
    let runtime = Runtime::new().expect("a runtime");
    let site = site.clone();
    let server = runtime.spawn(async move { site.server("one").await });
    let server = server.await.expect("a server starts");
    (runtime, server)
}

async fn a_year(site: Site) {
    let (mut runtime, server) = doomed(&site).await;
    let mut shop = server.shop("bookshop").await;
    drop(server);
    offers(&shop).await;
    let mut all = Vec::new();
    for _ in 0..SUBSCRIPTIONS {
        all.push(subscribed(&shop, "reader_monthly").await);
    }
    for month in 0..12_u64 {
        // The server dies before, during or after the renewals.
        shop.time_passes(31 * DAY).await;
        tokio::time::sleep(Duration::from_millis(month * 7 % 60)).await;
        runtime.shutdown_background();
        let (old, left) = closed(shop);
        drop(old);
        let (next, server) = doomed(&site).await;
        runtime = next;
        shop = left.opens_at(server);
        for subscription in &all {
            is_settled(&shop, subscription).await;
        }
    }
    check(&shop, &all).await;
    runtime.shutdown_background();
}

/// The processor never received the charge, so there was no decline. The charge is repeated at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_during_a_renewal_does_not_dun() {
    let site = Site::on_sqlite();
    let (runtime, server) = doomed(&site).await;
    let shop = server.shop("bookshop").await;
    drop(server);
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::LosesRequest);
    script.set_delay(Duration::from_secs(60));
    shop.time_passes(31 * DAY).await;
    let waiting = async || shop.processor().script().waiting();
    until("it is on its way", waiting, |waiting| *waiting == 0).await;
    let lost = now(&shop, &active).await["payment"]["payment_id"].clone();
    runtime.shutdown_background();
    let (old, left) = closed(shop);
    drop(old);
    let shop = left.opens_at(site.server("one").await);
    // The invoice may be in failed for a minute only, which a step of the clock can skip. So only the lasting state
    // is checked.
    let is_paid =
        |now: &Value| now["invoice"]["number"] == 2 && now["invoice"]["status"] == "invoice_paid";
    let paid = until_in_steps(&shop, &active, 60, is_paid).await;
    assert_eq!(paid["status"], "active");
    assert_eq!(paid["invoice"]["attempt_count"], 2, "{paid:#}");
    let took = moment(&paid["invoice"]["paid_at"]) - moment(&paid["invoice"]["created_at"]);
    assert!(
        took.num_seconds() < 3_600,
        "no schedule was waited for: {paid:#}"
    );
    let lost = shop
        .call("payments_retrieve")
        .at("payment_id", lost.as_str().expect("an id"));
    let lost = lost.await.ok();
    assert_eq!(
        (&lost["status"], &lost["error_code"]),
        (&json!("failed"), &json!("not_processed")),
        "{lost:#}"
    );
    assert_eq!(shop.money().captured, 2 * 990, "{paid:#}");
}

/// Two servers bill the same subscriptions.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_the_work() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let proxy = FaultProxy::new().await;
    let (here, there) = at_two_servers(&site, &proxy).await;
    offers(&here).await;
    let mut all = Vec::new();
    for _ in 0..SUBSCRIPTIONS {
        all.push(subscribed(&here, "reader_daily").await);
    }
    for day in 0..20 {
        let shop = if day % 2 == 0 { &here } else { &there };
        shop.time_passes(DAY).await;
        for subscription in &all {
            is_settled(&there, subscription).await;
        }
    }
    for subscription in &all {
        let invoices = invoices(&here, subscription).await;
        assert_unique(&invoices);
        assert_eq!(invoices.len(), 21);
    }
    let taken = proxy.money().captured;
    let expected = 100 * 21 * i64::try_from(SUBSCRIPTIONS).expect("few");
    assert_eq!(taken, expected, "each period is charged once");
}

/// Waits until nothing is due any more.
pub async fn is_settled(shop: &Shop, subscription: &Value) {
    until_found("nothing is due", async || {
        let clock = shop.time_passes(0).await;
        let now = now(shop, subscription).await;
        let next = now["next_billing_at"].as_str();
        let is_ahead = next > clock["now"].as_str();
        if is_ahead && now["invoice"]["status"] == "invoice_paid" {
            return Ok(());
        }
        // A charge that was in flight when a server died is checked after a while.
        if now["invoice"]["status"] == "payment_pending" {
            is_answered(&now).await;
            shop.time_passes(60).await;
        }
        Err(format!("at {clock}: {now:#}"))
    })
    .await;
}

fn assert_unique(invoices: &[Value]) {
    for (index, pair) in invoices.windows(2).enumerate() {
        assert_eq!(pair[0]["number"], index + 1);
        assert_eq!(pair[0]["period_end"], pair[1]["period_start"], "no gap");
    }
    let is_paid = |invoice: &Value| invoice["status"] == "invoice_paid";
    assert!(invoices.iter().all(is_paid), "{invoices:#?}");
}

async fn check(shop: &Shop, all: &[Value]) {
    let mut charged = 0;
    for subscription in all {
        let invoices = invoices(shop, subscription).await;
        assert_unique(&invoices);
        assert!(invoices.len() >= 13, "{}", invoices.len());
        charged += i64::try_from(invoices.len()).expect("few") * 990;
    }
    assert_eq!(
        shop.money().captured,
        charged,
        "each invoice is charged once"
    );
    let filter = json!({ "event_types": ["invoice_paid"], "limit": 100 });
    let told = shop
        .server
        .operator("events_list")
        .at("merchant_id", "bookshop");
    let told = told.json(&filter).await.ok();
    assert_eq!(told["total_count"].as_i64(), Some(charged / 990));
}
