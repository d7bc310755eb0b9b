//! A redaction whose server dies in the middle, and one that races with payments: in the end nothing reveals the
//! customer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, paid_with, with};
use multirail_conformance::patience::until;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::on;
use crate::servers::site::{Site, closed};

/// The number of the customer's payments: several batches of the worker.
const PAYMENTS: usize = 160;

fn for_ada(number: usize) -> Value {
    let said = json!({
        "payment_id": format!("order_{number}"), "customer": { "id": "ada", "name": "Ada Okafor" },
        "email": "ada@shopper.example",
    });
    with(order(), said)
}

/// Returns the number of the customer's payments, and of those that still reveal the payer.
async fn telling(shop: &Shop) -> (usize, usize) {
    let (mut all, mut telling) = (0, 0);
    let mut last: Option<String> = None;
    loop {
        let mut call = shop.call("payments_list").query("customer_id", "ada");
        call = call.query("limit", 100);
        if let Some(last) = &last {
            call = call.query("starting_after", last);
        }
        let page = call.await.ok();
        let payments = page["data"].as_array().expect("payments");
        all += payments.len();
        telling += payments
            .iter()
            .filter(|payment| {
                payment.to_string().contains("Okafor") || payment["email"] != "Redacted"
            })
            .count();
        match payments.last() {
            Some(payment) => last = payment["payment_id"].as_str().map(str::to_owned),
            None => return (all, telling),
        }
    }
}

/// Waits until the worker has redacted everything.
async fn becomes_forgotten(shop: &Shop, payments: usize) {
    let told = async || {
        let (all, telling) = telling(shop).await;
        assert_eq!(all, payments);
        telling
    };
    until("no payment reveals the customer", told, |telling| {
        *telling == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_goes_on_on_sqlite() {
    another_server_goes_on(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_goes_on_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        another_server_goes_on(site).await;
    }
}

async fn another_server_goes_on(site: Site) {
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    for number in 0..PAYMENTS {
        shop.creates(for_ada(number)).await.ok();
    }
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    // In the middle of the worker's pass, or before it.
    doomed.shutdown_background();
    let (server, shop) = closed(shop);
    drop(server);
    let shop = shop.opens_at(site.server("one").await);
    becomes_forgotten(&shop, PAYMENTS).await;
    let retrieved = on(
        &shop,
        "customers_retrieve",
        &json!({ "customer_id": "ada" }),
    );
    retrieved.await.refused(400, "IR_11");
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_that_race_with_it_are_forgotten_too() {
    let shop = Shop::open().await;
    super::creates(&shop, json!({ "customer_id": "ada", "name": "Ada Okafor" }))
        .await
        .ok();
    let calls: Vec<_> = (0..60)
        .map(|number| {
            let body = with(paid_with(APPROVED), for_ada(number));
            tokio::spawn(shop.creates(body).send())
        })
        .collect();
    // Some payments are stored by now, some are in flight, some come later.
    let made = async || telling(&shop).await.0;
    until("a payment is made", made, |made| *made > 0).await;
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    let mut paid = 0;
    for call in calls {
        let answer = call.await.expect("an answer").expect("an answer");
        if answer.status == 200 {
            paid += 1;
        } else {
            answer.refused(400, "IR_11");
        }
    }
    // After this time, no call that read the customer before the redaction can still be running.
    shop.time_passes(60).await;
    becomes_forgotten(&shop, paid).await;
    assert_eq!(shop.money().captured, 6540 * paid as i64);
}
