//! What the database's files tell of customers: nothing.

use std::fs;
use std::path::Path;

use multirail_conformance::bodies::with;
use serde_json::json;

use super::{TELLING, ada, creates, updates};
use crate::servers::site::Site;

/// Whether any file of the folder holds these bytes.
fn is_found(folder: &Path, text: &str) -> bool {
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
