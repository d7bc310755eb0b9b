//! What the database's files tell of customers: nothing.

use std::fs;
use std::path::Path;

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::json;

use super::redact::{OF_THE_PAYER, telling};
use super::{TELLING, ada, creates, on, updates};
use crate::keys::stored::all_rows;
use crate::servers::site::{Site, closed};

/// Whether any file of the folder holds these bytes.
pub fn is_found(folder: &Path, text: &str) -> bool {
    let files = fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    paths.filter(|path| path.is_file()).any(|path| {
        let bytes = fs::read(path).expect("a file");
        bytes
            .windows(text.len())
            .any(|some| some == text.as_bytes())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn who_a_customer_is_stands_in_no_file() {
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

/// Two payments that tell all that a payment can, the second one of a guest; what they tell is sent, too.
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
async fn who_paid_stands_in_no_file_of_the_database() {
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
async fn who_paid_stands_in_no_row_of_postgres() {
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

/// The key is gone with the customer, so that no worker has to come by first.
#[tokio::test]
async fn a_payment_forgets_its_customer_at_once() {
    let shop = Shop::open().await;
    let paid = shop.creates(telling("pay_of_ada")).await.ok();
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    let left = shop.retrieves(&paid).query("expand_attempts", true);
    let left = left.await.ok();
    let text = left.to_string();
    for telling in OF_THE_PAYER {
        assert!(!text.contains(telling), "{telling}: {text}");
    }
    assert_eq!(left["name"], "Redacted");
    assert_eq!(left["status"], paid["status"]);
}
