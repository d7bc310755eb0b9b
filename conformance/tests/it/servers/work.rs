//! Workers of several servers share what is due.

use std::time::{Duration, Instant};

use multirail_conformance::bodies::{PENDING, order_with};
use multirail_server::config::Setting;
use serde_json::json;

use super::site::{Site, moved};
use crate::unknown::road::Road;

#[tokio::test]
async fn each_open_payment_is_asked_about_by_one_of_them() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let road = Road::new().await;
    let on_road = |folder| {
        site.server_with(folder, |inputs| {
            inputs.with(Setting::SimulatorUrl, road.url())
        })
    };
    let here = on_road("one").await.shop("bookshop").await;
    let (there, _) = moved(here.clone(), on_road("two").await);
    let mut open = Vec::new();
    for number in 0..40 {
        let shop = if number % 2 == 0 { &here } else { &there };
        let payment = shop.creates(order_with(PENDING)).await.ok();
        let pending = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(pending["status"], "processing");
        open.push(payment);
    }
    assert_eq!(road.seen("GET /fauxpay/authorizations"), 0);

    // All of them are due at once, at both servers.
    here.time_passes(120).await;
    let limit = Instant::now() + Duration::from_secs(20);
    while let Some(payment) = open.last() {
        let now = there.retrieves(payment).await.ok();
        if now["status"] == "succeeded" {
            open.pop();
            continue;
        }
        assert!(
            Instant::now() < limit,
            "still open, with {} others, after {} questions: {now}",
            open.len(),
            road.seen("GET /fauxpay/authorizations")
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        road.seen("GET /fauxpay/authorizations"),
        40,
        "nobody asked what another one was asking"
    );
}
