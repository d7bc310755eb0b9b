//! Clear text of an earlier version is sealed automatically.

use multirail_conformance::bodies::{APPROVED, with};
use serde_json::json;

use super::finished;
use super::quick;
use crate::payment_methods::{card_of, on};
use crate::servers::site::{Site, closed};
use crate::servers::stored::leaves_holders_in_the_clear;

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_before_is_sealed_without_anybody_asking() {
    let site = Site::on_sqlite();
    let shop = site.server_with("one", quick).await.shop("bookshop").await;
    let ada = json!({ "customer_id": "ada" });
    shop.call("customers_create").json(&ada).await.ok();
    let holder = json!({ "card": { "card_holder_name": "Countess Lovelace" } });
    let saves = shop.call("payment_methods_create");
    let saves = saves.json(&with(card_of("ada", APPROVED), holder));
    let saved = saves.await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    leaves_holders_in_the_clear(&site.folder("one"), "Countess Lovelace");
    let shop = shop.opens_at(site.server_with("one", quick).await);
    finished(&shop.server).await;
    let method = on(&shop, "payment_methods_retrieve", &saved).await.ok();
    assert_eq!(method, saved);
    let (server, _shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let file = site.folder("one").join("multirail.sqlite");
    let held = String::from_utf8_lossy(&std::fs::read(file).expect("a file")).into_owned();
    assert!(held.contains("business_profiles"), "the right file");
    assert!(!held.contains("Lovelace"), "it rests in the clear");
}
