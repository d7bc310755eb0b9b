//! A backup is taken and restored.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use multirail_conformance::bodies::{self, APPROVED, order_with, with};
use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::{backed_up, checked, multirail};
use crate::servers::site::{Site, closed, until_free};

fn mode(path: &Path) -> u32 {
    path.metadata().expect("it is there").permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_working_server_takes_the_place_of_its_lost_database() {
    let site = Site::on_sqlite();
    let server = site.server("one").await;
    let shop = server.shop("books").await;
    let before = shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    let before = before.await.ok();
    let refund = shop.refunds(&before, json!({ "amount": 100 })).await.ok();
    shop.call("customers_create")
        .json(&json!({ "customer_id": "ada", "name": "Ada" }))
        .await
        .ok();

    // The check chains the open entries.
    server.operator("audit_verify").await.ok();
    // The server has the file open, and its log holds more than the file.
    let data = site.folder("one");
    let backup = backed_up(&data, &site.folder("backup")).await;
    assert_eq!(mode(&backup), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&backup).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.sort();
    assert_eq!(names, ["manifest.json", "multirail.sqlite"]);
    let manifest = std::fs::read_to_string(backup.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["rows"]["payments"], 1, "{manifest}");
    assert_eq!(manifest["rows"]["refunds"], 1, "{manifest}");
    assert_eq!(manifest["mode"], "sandbox", "{manifest}");
    let bytes = backup
        .join("multirail.sqlite")
        .metadata()
        .expect("a file")
        .len();
    assert_eq!(manifest["files"][0]["bytes"], bytes, "{manifest}");

    let after = shop.creates(bodies::order()).await.ok();
    let said = checked(&data, &backup).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.ends_with("all of it is whole\n"), "{said:?}");
    let noted = manifest["audit_log"].as_str().expect("a noted entry");
    assert!(said.out.contains(noted), "{said:?}");
    // A second backup doesn't overwrite the first one.
    let again = multirail(&data, &["backup", "--to", &backup.to_string_lossy()]).await;
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.err.contains("is not empty"), "{again:?}");
    // A restore doesn't replace an existing database.
    let folder = backup.to_string_lossy().into_owned();
    let early = multirail(&data, &["restore", &folder]).await;
    assert_eq!(early.code, Some(1), "{early:?}");
    assert!(early.err.contains("is there: stop the server"), "{early:?}");

    drop(server);
    let (server, closed) = closed(shop);
    server.stops().await.expect("an orderly end");
    until_free(&data).await;
    std::fs::remove_dir_all(&data).expect("it is lost");
    let said = multirail(&data, &["restore", &folder]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("multirail.sqlite")), 0o600);

    let server = site.server("one").await;
    let shop = closed.opens_at(server);
    let found = shop.retrieves(&before).await.ok();
    assert_eq!(found["status"], "succeeded");
    let found = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(found["status"], "succeeded");
    let customer = shop.call("customers_retrieve").at("customer_id", "ada");
    assert_eq!(customer.await.ok()["name"], "Ada");
    // Later payments are gone, and their ids are free.
    let lost = shop.call("payments_retrieve").at("payment_id", id(&after));
    lost.await.refused(404, "HE_02");
}
