//! What may happen to the database of a server, and that no server would do; what is in it, where no answer tells.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::site::Site;

/// A connector account is lost, though payments were made with it.
pub fn loses_connector_account(folder: &Path, connector_account_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "delete from connector_accounts where merchant_connector_id = ?1";
    assert_eq!(database.execute(lose, [connector_account_id]), Ok(1));
}

/// The requests under way have taken longer than their leases.
pub fn leases_lapse(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lapse = "update idempotency_keys set lease_until = 0 where answer is null";
    assert_eq!(database.execute(lapse, []), Ok(1));
}

/// What callers brought along is lost, though something was begun with it.
pub fn loses_held_credentials(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    assert_eq!(database.execute("delete from held_credentials", []), Ok(1));
}

/// How many credentials that callers brought along are kept.
pub fn held_credentials(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from held_credentials";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// How many change-sets were stored.
pub fn change_sets(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from change_sets";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// A merchant account was deleted, whatever its payments were.
pub fn loses_merchant_account(folder: &Path, merchant_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "update merchant_accounts set deleted_at = modified_at where merchant_id = ?1";
    assert_eq!(database.execute(lose, [merchant_id]), Ok(1));
}

/// What is stored of a payment can't be read any more.
pub fn spoils_payment(folder: &Path, payment_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let spoil = "update payments set record = '{' where payment_id = ?1";
    assert_eq!(database.execute(spoil, [payment_id]), Ok(1));
}

/// The same of what callers brought along for refunds.
pub fn loses_held_refund_credentials(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "delete from held_refund_credentials";
    assert_eq!(database.execute(lose, []), Ok(1));
}

/// How many credentials that callers brought along for refunds are kept.
pub fn held_refund_credentials(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from held_refund_credentials";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// Somebody alters the audit log and knows what keeps others from it. The server is stopped.
pub async fn alters(site: &Site, folder: &str, sql: &str) {
    if let Some(url) = site.database_url() {
        let mut database = PgConnection::connect(url).await.expect("a database");
        let free = "alter table audit_log disable trigger user";
        for one in std::iter::once(free).chain(sql.split("; ")) {
            let query = sqlx::query(AssertSqlSafe(one.to_owned()));
            query.execute(&mut database).await.expect("a statement");
        }
        database.close().await.expect("a connection that closes");
        return;
    }
    let file = site.folder(folder).join("multirail.sqlite");
    let database = Connection::open(file).expect("a database");
    for guard in ["audit_log_is_not_changed", "audit_log_is_not_deleted"] {
        let drop = format!("drop trigger {guard}");
        database.execute_batch(&drop).expect("a statement");
    }
    database.execute_batch(sql).expect("a statement");
}

/// Somebody alters the database, whatever its checks say. The server is stopped.
pub fn alters_past_checks(folder: &Path, sql: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    database
        .pragma_update(None, "ignore_check_constraints", true)
        .expect("a pragma");
    database.execute_batch(sql).expect("a statement");
}

/// The root page of an index is spoilt: nothing that a start or the audit log reads. The server is stopped.
pub fn spoils_an_index(folder: &Path) {
    let path = folder.join("multirail.sqlite");
    let (page, size): (u64, u64) = {
        let database = Connection::open(&path).expect("a database");
        let root = "select rootpage from sqlite_schema where name = 'refunds_by_change'";
        let page = database.query_row(root, [], |row| row.get::<_, i64>(0));
        let size = database.query_row("pragma page_size", [], |row| row.get::<_, i64>(0));
        let number =
            |found: rusqlite::Result<i64>| u64::try_from(found.expect("a number")).expect("a page");
        (number(page), number(size))
    };
    let file = OpenOptions::new().write(true).open(&path).expect("a file");
    file.write_all_at(&[0x5a; 64], (page - 1) * size)
        .expect("it is written");
}
