//! New data keys for the service, its merchants and their customers, while shops sell.

use std::collections::BTreeSet;
use std::sync::Arc;

use multirail_conformance::TestServer;

use super::{Kept, Selling, finished, keys, quick, rotates};
use crate::servers::site::{Site, closed};
use crate::servers::stored::keys_in_use;

/// Returns the keys that seal stored data. On SQLite the server must stop for this, and another one replaces it.
async fn looks(site: &Site, server: Arc<TestServer>) -> (BTreeSet<String>, Arc<TestServer>) {
    server.stops().await.expect("an orderly end");
    let found = keys_in_use(site, "one").await;
    (found, site.server_with("one", quick).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_data_keys_change_under_running_payments_on_sqlite() {
    under_running_payments(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_data_keys_change_under_running_payments_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        under_running_payments(site).await;
    }
}

async fn under_running_payments(site: Site) {
    let born = site.server_with("one", quick).await;
    let books = born.shop("books").await;
    let flowers = born.shop("flowers").await;
    drop(born);
    let kept = [Kept::by(&books).await, Kept::by(&flowers).await];
    let (_, flowers) = closed(flowers);
    let (server, books) = closed(books);
    let (before, server) = looks(&site, server).await;
    let of_subjects = before.iter().filter(|key| key.starts_with("sub_")).count();
    assert_eq!(
        of_subjects, 5,
        "three merchants, that of the sandbox too, and two customers: {before:?}"
    );
    let books = books.opens_at(Arc::clone(&server));
    let flowers = flowers.opens_at(server);

    let selling = [Selling::begin(&books), Selling::begin(&flowers)];
    let begun = rotates(&books.server).await;
    assert_eq!(begun["rotation"]["status"], "running");
    let again = rotates(&books.server).await;
    assert_eq!(
        again["rotation"]["rotation_id"], begun["rotation"]["rotation_id"],
        "one at a time"
    );
    let done = finished(&books.server).await;
    let mut sold = Vec::new();
    for one in selling {
        sold.push(one.ends().await);
    }
    insta::allow_duplicates! {
    insta::assert_json_snapshot!(done, {
        ".master_key" => "[a name]",
        ".data_keys[].key_id" => "[a name]",
        ".data_keys[].created_at" => "[a time]",
        ".rotation.rotation_id" => "[a name]",
        ".rotation.started_at" => "[a time]",
        ".rotation.finished_at" => "[a time]",
        ".rotation.pass" => "[at least 2]",
        ".rotation.rows_in_all" => "[rows]",
        ".rotation.looked_at" => "[rows]",
        ".rotation.sealed_anew" => "[rows]",
    }, @r#"
    {
      "master_key": "[a name]",
      "next_master_key": null,
      "data_keys": [
        {
          "key_id": "[a name]",
          "status": "retired",
          "created_at": "[a time]"
        },
        {
          "key_id": "[a name]",
          "status": "sealing",
          "created_at": "[a time]"
        }
      ],
      "merchants_with_keys": 3,
      "customers_with_keys": 2,
      "customers_with_destroyed_keys": 0,
      "rotation": {
        "rotation_id": "[a name]",
        "status": "finished",
        "pass": "[at least 2]",
        "at": null,
        "rows_in_all": "[rows]",
        "looked_at": "[rows]",
        "sealed_anew": "[rows]",
        "unreadable": 0,
        "started_at": "[a time]",
        "finished_at": "[a time]"
      }
    }
    "#);
    }

    let (after, server) = {
        let ((_, flowers_), (server, books_)) = (closed(flowers), closed(books));
        let (after, server) = looks(&site, server).await;
        (after, (server, books_, flowers_))
    };
    let left: Vec<_> = before.intersection(&after).collect();
    assert_eq!(
        left,
        Vec::<&String>::new(),
        "nothing is left under a former key"
    );
    let (server, books, flowers) = server;
    let (books, flowers) = (
        books.opens_at(Arc::clone(&server)),
        flowers.opens_at(server),
    );
    for ((shop, kept), sold) in [&books, &flowers].into_iter().zip(&kept).zip(&sold) {
        kept.is_readable(shop).await;
        assert!(!sold.is_empty());
        for payment in sold {
            assert_eq!(shop.retrieves(payment).await.ok()["status"], "succeeded");
        }
    }
    // The next rotation deletes the retired keys.
    let first = keys(&books.server).await;
    rotates(&books.server).await;
    let second = finished(&books.server).await;
    let names = |keys: &serde_json::Value| {
        let all = keys["data_keys"].as_array().expect("a list").iter();
        all.map(|key| key["key_id"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&second)[0], names(&first)[1]);
    assert_eq!(names(&second).len(), 2);
    let paid = books.retrieves(&kept[0].paid).await.ok();
    assert_eq!(paid, kept[0].paid);
}
