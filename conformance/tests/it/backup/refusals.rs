//! A check finds every damage of a backup.

use std::fs;
use std::path::PathBuf;

use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::json;

use super::{backed_up, checked, multirail, multirail_with};
use crate::servers::damage::alters_past_checks;
use crate::servers::site::{Site, until_free};

/// Returns the data of a stopped server with a partially refunded payment and a customer.
async fn data(site: &Site) -> PathBuf {
    let server = site.server("one").await;
    let shop = server.shop("books").await;
    let paid = shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    let paid = paid.await.ok();
    shop.refunds(&paid, json!({ "amount": 100 })).await.ok();
    let customer = shop.call("customers_create");
    let customer = customer.json(&json!({ "customer_id": "ada", "name": "Ada" }));
    customer.await.ok();
    // The check chains the open entries.
    server.operator("audit_verify").await.ok();
    drop(shop);
    server.stops().await.expect("an orderly end");
    let data = site.folder("one");
    until_free(&data).await;
    data
}

#[tokio::test(flavor = "multi_thread")]
async fn inconsistencies_are_named() {
    for (sql, told) in [
        (
            "update attempts set captured_amount = captured_amount - 1",
            "payments whose money does not add up: payment ",
        ),
        (
            "update refund_sums set refunded_amount = 40",
            "refunded_amount is 40, its record says 100",
        ),
        (
            "delete from refunds",
            "it counts 1 refunds otherwise than the 0 that are stored",
        ),
        ("delete from payments", "attempts belong to no payment"),
        (
            "update customers set personal = randomblob(length(personal))",
            "values that no key opens: customers.personal",
        ),
        (
            "drop trigger audit_log_is_not_changed; \
             update audit_log set operation = 'nothing' where sequence = 2",
            "entry 2 of the audit log is not what was written",
        ),
        (
            "update attempts set captured_amount = 2 * authorized_amount",
            "13080 are captured or voided of 6540",
        ),
    ] {
        let site = Site::on_sqlite();
        let data = data(&site).await;
        alters_past_checks(&data, sql);
        let backup = site.folder("backup");
        let to = backup.to_string_lossy();
        let taken = multirail(&data, &["backup", "--to", &to]).await;
        // If the file shows the damage, no backup is made.
        let said = match taken.code {
            Some(0) => checked(&data, &backup).await,
            _ => taken,
        };
        assert_eq!(said.code, Some(4), "{sql}: {said:?}");
        assert!(said.err.contains(told), "{sql}: {said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_touched_is_none() {
    let site = Site::on_sqlite();
    let data = data(&site).await;
    let backup = backed_up(&data, &site.folder("backup")).await;
    let said = checked(&data, &backup).await;
    assert_eq!(said.code, Some(0), "{said:?}");

    let another = "40112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let folder = backup.to_string_lossy().into_owned();
    let arguments = ["restore", "--check", folder.as_str()];
    let said = multirail_with(&data, &arguments, &[("MULTIRAIL_MASTER_KEY", another)]).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(
        said.err.contains("does not open the keys of this database"),
        "{said:?}"
    );
    let said = multirail_with(&data, &arguments, &[]).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("without the master key nobody can tell"),
        "{said:?}"
    );

    let file = backup.join("multirail.sqlite");
    let whole = fs::read(&file).expect("a file");
    let mut touched = whole.clone();
    let middle = touched.len() / 2;
    touched[middle] ^= 1;
    fs::write(&file, &touched).expect("it is written");
    let said = checked(&data, &backup).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(said.err.contains("is not what was backed up"), "{said:?}");

    fs::write(&file, &whole).expect("it is written");
    fs::remove_file(backup.join("manifest.json")).expect("it is there");
    let said = checked(&data, &backup).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(
        said.err.contains("no whole backup is in this folder"),
        "{said:?}"
    );
}
