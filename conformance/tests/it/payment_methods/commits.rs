//! The number of commits that a payment with a saved method takes.

use std::path::Path;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, paid_with, with};
use serde_json::{Value, json};

use super::charge::{agrees, charged};
use super::{listed, paid_by_token};
use crate::servers::damage::change_sets;
use crate::servers::site::Site;

/// Returns the number of change sets that a payment takes.
async fn taken_by(shop: &Shop, folder: &Path, body: Value) -> i64 {
    let before = change_sets(folder);
    let paid = shop.creates(body).await.ok();
    assert_eq!(paid["status"], "succeeded");
    change_sets(folder) - before
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_method_pays_in_as_many_commits_as_a_typed_card() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let folder = site.folder("one");
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let typed = with(paid_with(APPROVED), json!({ "customer_id": "ada" }));
    let by_card = taken_by(&shop, &folder, typed).await;
    assert_eq!(by_card, 2, "the intention and the outcome");
    let by_token = paid_by_token("ada", &method);
    assert_eq!(taken_by(&shop, &folder, by_token).await, by_card);
    let without_payer = charged("ada", &method);
    assert_eq!(taken_by(&shop, &folder, without_payer).await, by_card);
}
