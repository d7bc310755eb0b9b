//! Reads stored rows and their keys directly from the database.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection as Sqlite;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use super::site::Site;

/// Returns the names of all keys that seal stored data. A server with a SQLite file must be stopped.
pub async fn keys_in_use(site: &Site, folder: &str) -> BTreeSet<String> {
    let sealed = match site.database_url() {
        Some(url) => sealed_in_postgres(url).await,
        None => sealed_in_sqlite(&site.folder(folder).join("multirail.sqlite")),
    };
    assert!(!sealed.is_empty(), "something rests sealed");
    let unnamed = sealed
        .iter()
        .filter(|bytes| key_of(bytes).is_none())
        .count();
    assert_eq!(unnamed, 0, "sealed bytes that name no key");
    sealed.iter().filter_map(|bytes| key_of(bytes)).collect()
}

/// Reads the beginning of a sealed value: form, length, key name.
fn key_of(sealed: &[u8]) -> Option<String> {
    let (&[1, length], rest) = sealed.split_first_chunk::<2>()? else {
        return None;
    };
    let name = rest.get(..usize::from(length))?;
    String::from_utf8(name.to_vec()).ok()
}

fn select(table: &str, column: &str) -> String {
    format!("select {column} from {table} where {column} is not null")
}

/// Rows that the master key itself seals name no key.
fn is_sealed(table: &str) -> bool {
    table != "wrapped_keys" && !table.starts_with('_')
}

/// Returns the stored keys of customers. The server must be stopped.
pub fn wrapped_keys_of_customers(folder: &Path) -> Vec<Vec<u8>> {
    let database = Sqlite::open(folder.join("multirail.sqlite")).expect("a database");
    let keys = "select wrapped from subject_keys where customer_id <> ''";
    let mut keys = database.prepare(keys).expect("a statement");
    let keys = keys.query_map([], |row| row.get(0)).expect("rows");
    keys.map(|key| key.expect("bytes")).collect()
}

/// Writes the rows of an earlier server into a new folder.
pub fn write(folder: &Path, rows: &str) {
    std::fs::create_dir_all(folder).expect("a folder can be made");
    let database = Sqlite::open(folder.join("multirail.sqlite")).expect("a database");
    database.execute_batch(rows).expect("stored rows");
}

/// Returns when a stored subscription is due, and its version. The server must be stopped.
pub fn due_subscription(folder: &Path, subscription_id: &str) -> (Option<i64>, i64) {
    let database = Sqlite::open(folder.join("multirail.sqlite")).expect("a database");
    let row = "select due_at, version from subscriptions where subscription_id = ?1";
    let found = database.query_row(row, [subscription_id], |row| Ok((row.get(0)?, row.get(1)?)));
    found.expect("a row")
}

fn sealed_in_sqlite(path: &Path) -> Vec<Vec<u8>> {
    let database = Sqlite::open(path).expect("a database");
    let columns = "select t.name, c.name from sqlite_master t, pragma_table_info(t.name) c \
         where t.type = 'table' and lower(c.type) = 'blob'";
    let mut columns = database.prepare(columns).expect("a statement");
    let columns = columns.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    });
    let mut sealed = Vec::new();
    for column in columns.expect("columns") {
        let (table, column) = column.expect("a column");
        if !is_sealed(&table) {
            continue;
        }
        let mut rows = database
            .prepare(&select(&table, &column))
            .expect("a statement");
        let rows = rows
            .query_map([], |row| row.get::<_, Vec<u8>>(0))
            .expect("rows");
        sealed.extend(rows.map(|row| row.expect("bytes")));
    }
    sealed
}

async fn sealed_in_postgres(url: &str) -> Vec<Vec<u8>> {
    let mut database = PgConnection::connect(url).await.expect("a database");
    let columns = "select table_name::text, column_name::text from information_schema.columns \
         where data_type = 'bytea' and table_schema = 'public'";
    let columns = sqlx::query(columns)
        .fetch_all(&mut database)
        .await
        .expect("columns");
    let mut sealed = Vec::new();
    for column in columns {
        let (table, column): (String, String) = (column.get(0), column.get(1));
        if !is_sealed(&table) {
            continue;
        }
        let rows = sqlx::query(AssertSqlSafe(select(&table, &column)));
        let rows = rows.fetch_all(&mut database).await.expect("rows");
        sealed.extend(rows.iter().map(|row| row.get::<Vec<u8>, _>(0)));
    }
    database.close().await.expect("a connection that closes");
    sealed
}

/// Counts rows; `rows` is a table, optionally with a condition. A server with a SQLite file must be stopped.
pub async fn count(site: &Site, folder: &str, rows: &str) -> i64 {
    let count = format!("select count(*) from {rows}");
    let Some(url) = site.database_url() else {
        let database = site.folder(folder).join("multirail.sqlite");
        let database = Sqlite::open(database).expect("a database");
        let count = database.query_row(&count, [], |row| row.get(0));
        return count.expect("a count");
    };
    let mut database = PgConnection::connect(url).await.expect("a database");
    let count = sqlx::query(AssertSqlSafe(count)).fetch_one(&mut database);
    let count = count.await.expect("a count").get(0);
    database.close().await.expect("a connection that closes");
    count
}

/// Moves a saved method in a PostgreSQL database to another customer.
pub async fn gives_method(url: &str, payment_method_id: &str, customer_id: &str) {
    let mut database = PgConnection::connect(url).await.expect("a database");
    let give = "update payment_methods set customer_id = $2 where payment_method_id = $1";
    let give = sqlx::query(give).bind(payment_method_id).bind(customer_id);
    let given = give.execute(&mut database).await.expect("a statement");
    assert_eq!(given.rows_affected(), 1);
    database.close().await.expect("a connection that closes");
}

/// Returns all rows of a PostgreSQL database as text.
pub async fn all_rows(url: &str) -> String {
    let mut database = PgConnection::connect(url).await.expect("a database");
    let tables =
        "select table_name::text from information_schema.tables where table_schema = 'public'";
    let tables = sqlx::query(tables).fetch_all(&mut database).await;
    let mut all = String::new();
    for table in tables.expect("tables") {
        let table: String = table.get(0);
        let rows = AssertSqlSafe(format!("select one::text from {table} one"));
        let rows = sqlx::query(rows).fetch_all(&mut database).await;
        for row in rows.expect("rows") {
            all += &row.get::<String, _>(0);
            all.push('\n');
        }
    }
    database.close().await.expect("a connection that closes");
    all
}

/// Deletes all customers from a SQLite file, as if its payments were older than customers. The server must be
/// stopped.
pub fn forgets_customers(folder: &Path) {
    let database = Sqlite::open(folder.join("multirail.sqlite")).expect("a database");
    let forgotten = database.execute("delete from customers", []);
    assert!(forgotten.expect("a statement") > 0);
}

/// Stores the holders of saved methods in clear, as an earlier version did. The server must be stopped.
pub fn leaves_holders_in_the_clear(folder: &Path, name: &str) {
    let database = Sqlite::open(folder.join("multirail.sqlite")).expect("a database");
    let clear = "update payment_methods set holder_name = ?1, holder_name_sealed = null";
    let cleared = database.execute(clear, [name]);
    assert_eq!(cleared.expect("a statement"), 1);
    let sealed = "delete from settings where name = 'sealed_forms'";
    assert_eq!(database.execute(sealed, []).expect("a statement"), 1);
}
