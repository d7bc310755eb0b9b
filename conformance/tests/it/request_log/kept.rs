//! Requests are deleted after their time, and a server may log fewer or none.

use multirail_conformance::Shop;
use multirail_conformance::bodies::order;
use multirail_conformance::patience::until_found;
use multirail_conformance::request_log::{logged, request_id};
use multirail_server::config::Setting;

use super::list;
use crate::servers::site::{Site, closed};

/// The reaper looks every five seconds.
#[tokio::test]
async fn requests_are_gone_after_their_time() {
    let shop = Shop::open().await;
    let made = shop.creates(order()).await;
    logged(|operation| shop.call(operation), &made).await;
    shop.server.time_passes(8 * 86_400).await;
    let id = request_id(&made);
    until_found("the old request is gone", async || {
        match list(&shop, &[("request_id", &id)]).await.as_slice() {
            [] => Ok(()),
            some => Err(format!("{some:?}")),
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_stores_the_last_requests() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let made = shop.creates(order()).await;
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let shop = shop.opens_at(site.server("one").await);
    let id = request_id(&made);
    assert_eq!(list(&shop, &[("request_id", &id)]).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_logs_no_more_than_it_may_in_a_second() {
    let site = Site::on_sqlite();
    let server = site.server_with("one", |inputs| {
        inputs.with(Setting::RequestLogPerSecond, "0")
    });
    let shop = server.await.shop("bookshop").await;
    shop.creates(order()).await.ok();
    // A request that was logged would be stored at the end, as above.
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let shop = shop.opens_at(site.server("one").await);
    let found = list(&shop, &[("operation", "payments_create")]).await;
    assert!(found.is_empty(), "nothing is logged at 0: {found:?}");
}
