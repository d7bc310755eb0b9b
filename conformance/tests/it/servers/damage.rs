//! Damages a server's database in ways in which no server would, and reads rows that no answer shows.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::site::Site;

/// Deletes a connector account that payments were made with.
pub fn loses_connector_account(folder: &Path, connector_account_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "delete from connector_accounts where merchant_connector_id = ?1";
    assert_eq!(database.execute(lose, [connector_account_id]), Ok(1));
}

/// Expires the lease of the request in progress.
pub fn leases_lapse(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lapse = "update idempotency_keys set lease_until = 0 where answer is null";
    assert_eq!(database.execute(lapse, []), Ok(1));
}

/// Deletes stored credentials of a request, although an operation needs them.
pub fn loses_held_credentials(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    assert_eq!(database.execute("delete from held_credentials", []), Ok(1));
}

/// Counts the stored credentials of requests.
pub fn held_credentials(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from held_credentials";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// Counts the stored change sets.
pub fn change_sets(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from change_sets";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// Deletes a merchant account, whatever its payments are.
pub fn loses_merchant_account(folder: &Path, merchant_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "update merchant_accounts set deleted_at = modified_at where merchant_id = ?1";
    assert_eq!(database.execute(lose, [merchant_id]), Ok(1));
}

/// Makes a payment's stored record unreadable.
pub fn spoils_payment(folder: &Path, payment_id: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let spoil = "update payments set record = '{' where payment_id = ?1";
    assert_eq!(database.execute(spoil, [payment_id]), Ok(1));
}

/// Deletes stored credentials of a refund request.
pub fn loses_held_refund_credentials(folder: &Path) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let lose = "delete from held_refund_credentials";
    assert_eq!(database.execute(lose, []), Ok(1));
}

/// Counts the stored credentials of refund requests.
pub fn held_refund_credentials(folder: &Path) -> i64 {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    let count = "select count(*) from held_refund_credentials";
    database
        .query_row(count, [], |row| row.get(0))
        .expect("a count")
}

/// Changes the audit log after removing its triggers. The server must be stopped.
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

/// Changes the database and ignores its constraints. The server must be stopped.
pub fn alters_past_checks(folder: &Path, sql: &str) {
    let database = Connection::open(folder.join("multirail.sqlite")).expect("a database");
    database
        .pragma_update(None, "ignore_check_constraints", true)
        .expect("a pragma");
    database.execute_batch(sql).expect("a statement");
}

/// Damages the root page of an index, which neither a start nor the audit log reads. The server must be stopped.
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
