//! Work in progress when a customer is deleted: a card that waits for its confirm, and a card that is saved at that
//! moment.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use multirail_conformance::patience::until;
use serde_json::{Value, json};

use super::{creates, on};
use crate::payment_methods::{method_id, saves};
use crate::servers::site::{Site, closed};
use crate::servers::stored::{count, gives_method};

/// The longest lifetime of a client secret in seconds. A payment's card may wait that long.
const LONGEST: i64 = 7_890_000;

fn waiting(customer: &str) -> Value {
    let said = json!({ "customer_id": customer, "session_expiry": LONGEST });
    with(order_with(APPROVED), said)
}

async fn forgets_ada(shop: &Shop) {
    let ada = json!({ "customer_id": "ada" });
    on(shop, "customers_delete", &ada).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_waits_goes_with_its_customer_on_sqlite() {
    goes_with_its_customer(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_waits_goes_with_its_customer_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        goes_with_its_customer(site).await;
    }
}

async fn goes_with_its_customer(site: Site) {
    let shop = site.server("one").await.shop("bookshop").await;
    let payment = shop.creates(waiting("ada")).await.ok();
    let of_grace = shop.creates(waiting("grace")).await.ok();
    assert_eq!(payment["status"], "requires_confirmation");
    forgets_ada(&shop).await;
    let left = until(
        "the card is gone",
        async || shop.retrieves(&payment).await.ok(),
        |now| now["status"] == "requires_payment_method",
    )
    .await;
    assert_eq!(left["payment_method_data"], Value::Null);
    assert_eq!(left["customer_id"], "ada");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_11");
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    assert_eq!(count(&site, "one", "held_cards").await, 1, "Grace's alone");
    let shop = shop.opens_at(site.server("one").await);
    let paid = shop.confirms(&of_grace, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

/// On PostgreSQL, an approval that began before the redaction can commit after it, and neither sees the other. The
/// last pass of the worker runs when no such call can still be running, and removes the saved card.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_is_saved_at_that_moment_goes_with_the_last_pass() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let shop = site.server("one").await.shop("bookshop").await;
    for customer in ["ada", "grace"] {
        creates(&shop, json!({ "customer_id": customer }))
            .await
            .ok();
    }
    saves(&shop, "grace", APPROVED).await.ok();
    let late = saves(&shop, "grace", DECLINED).await.ok();
    forgets_ada(&shop).await;
    let rows = async |rows: &str| count(&site, "one", rows).await;
    let passes = "customer_redactions where is_last_pass";
    until(
        "only the last pass is to come",
        async || rows(passes).await,
        |one| *one == 1,
    )
    .await;
    let url = site.database_url().expect("an address");
    gives_method(url, method_id(&late), "ada").await;
    assert_eq!(rows("vault_cards").await, 2);
    shop.time_passes(60).await;
    until(
        "nothing of hers is left to do",
        async || rows("customer_redactions").await,
        |left| *left == 0,
    )
    .await;
    assert_eq!(rows("payment_methods where customer_id = 'ada'").await, 0);
    assert_eq!(rows("vault_cards").await, 1, "Grace's other card");
}
