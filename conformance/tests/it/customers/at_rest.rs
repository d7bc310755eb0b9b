//! The database's files reveal nothing about customers.

use std::fs;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DISPUTED, paid_with, with};
use multirail_conformance::notice::webhook_details;
use serde_json::json;

use super::redact::{OF_THE_PAYER, readable, telling, tells};
use super::{TELLING, ada, creates, on, updates};
use crate::disputes::{challenges, raised};
use crate::payment_methods::accounts::paid_out_to;
use crate::payment_methods::{card_of, saved_for};
use crate::servers::site::{Site, closed, is_found};
use crate::servers::stored::all_rows;

/// A bank account number.
const IBAN: &str = "DE89370400440532013000";

#[tokio::test(flavor = "multi_thread")]
async fn no_file_reveals_a_customer() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let id = json!({ "customer_id": "canary_of_the_customers" });
    let made = creates(&shop, with(ada(), id)).header("idempotency-key", "k");
    let made = made.await.ok();
    let moved = json!({ "address": { "line1": "Analytical Engine Street" } });
    updates(&shop, &made, moved).await.ok();
    let search = shop
        .call("customers_list")
        .query("email", "ada@shopper.example");
    assert_eq!(search.await.ok().as_array().map(Vec::len), Some(1));
    let folder = site.folder("one");
    assert!(
        is_found(&folder, "canary_of_the_customers"),
        "the right files"
    );
    for telling in TELLING {
        assert!(!is_found(&folder, telling), "{telling} rests in the clear");
    }
}

/// Creates two payments with all personal data, the second one of a guest. Webhooks send it, too.
async fn pays(shop: &Shop) {
    shop.creates(telling("pay_of_ada")).await.ok();
    let mut guest = telling("pay_of_a_guest");
    let members = guest.as_object_mut().expect("a body");
    members.shift_remove("customer");
    members.shift_remove("customer_acceptance");
    let said = json!({ "name": "Ada Okafor", "email": "ada@shopper.example", "phone": "555-0132" });
    shop.creates(with(guest, said)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_of_the_database_reveals_the_payer() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    pays(&shop).await;
    let (server, _shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let file = site.folder("one").join("multirail.sqlite");
    let held = String::from_utf8_lossy(&fs::read(file).expect("a file")).into_owned();
    assert!(held.contains("pay_of_a_guest"), "the right file");
    for telling in OF_THE_PAYER {
        assert!(!held.contains(telling), "{telling} rests in the clear");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_of_postgres_reveals_the_payer() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let shop = site.server("one").await.shop("bookshop").await;
    pays(&shop).await;
    let held = all_rows(site.database_url().expect("an address")).await;
    assert!(held.contains("pay_of_a_guest"), "the right rows");
    for telling in OF_THE_PAYER {
        assert!(!held.contains(telling), "{telling} rests in the clear");
    }
}

/// The key is deleted with the customer, so forgetting needs no worker.
#[tokio::test]
async fn a_payment_and_its_events_forget_their_customer_at_once() {
    let shop = Shop::open().await;
    let paid = shop.creates(telling("pay_of_ada")).await.ok();
    let before = readable(&shop).await;
    assert!(before.contains("payment_succeeded"), "{before}");
    assert!(tells(&before).contains(&"Okafor"), "{before}");
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    let events = readable(&shop).await;
    assert_eq!(tells(&events), [""; 0], "{events}");
    assert!(events.contains("payment_succeeded"), "{events}");
    let left = shop.retrieves(&paid).query("expand_attempts", true);
    let left = left.await.ok();
    let text = left.to_string();
    for telling in OF_THE_PAYER {
        assert!(!text.contains(telling), "{telling}: {text}");
    }
    assert_eq!(left["name"], "Redacted");
    assert_eq!(left["status"], paid["status"]);
}

/// Saves a card, saves another one by paying, and adds evidence to a dispute. Returns the payment's ephemeral key,
/// which opens saved data and isn't stored in clear either.
async fn keeps_and_disputes(shop: &Shop) -> String {
    shop.reconnects(webhook_details()).await.ok();
    creates(shop, json!({ "customer_id": "ada" })).await.ok();
    let billing = json!({ "address": { "line1": "1 Lovelace Lane" } });
    let card = json!({ "card_holder_name": "Countess Lovelace", "nick_name": "Lovelace travels" });
    let saved = with(
        card_of("ada", APPROVED),
        json!({ "card": card, "billing": billing }),
    );
    let saved = shop.call("payment_methods_create").json(&saved);
    let saved = saved.header("idempotency-key", "saved").await.ok();
    assert_eq!(saved["card"]["nick_name"], "Lovelace travels");
    let account = json!({ "iban": IBAN, "bank_name": "Bank of Lovelace", "account_holder_name": "Countess Lovelace" });
    let saved = shop
        .call("payment_methods_create")
        .json(&paid_out_to(account))
        .header("idempotency-key", "account");
    assert_eq!(saved.await.ok()["bank_transfer"]["iban"], IBAN);
    let paid = with(paid_with(DISPUTED), saved_for("off_session"));
    let paid = with(
        paid,
        json!({
            "customer_id": "ada",
            "payment_method_data": { "billing": billing, "card": card },
        }),
    );
    let pays = || shop.creates(paid.clone()).header("idempotency-key", "paid");
    let paid = pays().await.ok();
    assert_eq!(pays().await.ok(), paid);
    let key = paid["ephemeral_key"]["secret"].as_str().expect("a key");
    let own = shop
        .call("customer_payment_methods_list")
        .at("customer_id", "ada")
        .key(key);
    let own = own.await.ok();
    let methods = own["customer_payment_methods"].as_array();
    assert_eq!(methods.map(Vec::len), Some(3), "{own}");
    assert_eq!(
        own["customer_payment_methods"][0]["card"]["card_holder_name"],
        "Countess Lovelace"
    );
    let dispute = raised(shop, &paid, "dispute", "dispute_opened").await;
    let said = challenges(shop, &dispute, "customer_name", "Countess Lovelace");
    said.await.ok();
    let told = crate::disputes::on(shop, "disputes_retrieve_evidence", &dispute);
    assert_eq!(told.await.ok()["texts"][0]["text"], "Countess Lovelace");
    key.to_owned()
}

fn check_nothing_tells(held: &str, key: &str) {
    assert!(held.contains("off_session"), "the right rows");
    assert!(!held.contains("Lovelace"), "a name rests in the clear");
    assert!(!held.contains(IBAN), "an account rests in the clear");
    assert!(!held.contains(key), "a key rests in the clear");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_reveals_cardholders_and_evidence() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let key = keeps_and_disputes(&shop).await;
    let (server, _shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let file = site.folder("one").join("multirail.sqlite");
    let held = String::from_utf8_lossy(&fs::read(file).expect("a file")).into_owned();
    check_nothing_tells(&held, &key);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_of_postgres_reveals_cardholders_and_evidence() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let shop = site.server("one").await.shop("bookshop").await;
    let key = keeps_and_disputes(&shop).await;
    let held = all_rows(site.database_url().expect("an address")).await;
    check_nothing_tells(&held, &key);
}
