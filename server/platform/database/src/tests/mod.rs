//! Tests of what both engines promise, and of what only one of them does.
//!
//! Each test has a database of its own. Tests on PostgreSQL return early, with a message, if no server can be started.

mod batches;
mod migrations;
mod on_postgres;
mod on_sqlite;
mod proxy;
mod sqlite_checkpoints;
mod sqlite_file;
mod sqlite_standstill;
mod values;

use std::sync::Arc;

use multirail_test_postgres::{Cluster, TestPostgres};
use tempfile::TempDir;

use super::migrate::Step;
use super::*;

/// A small schema that has one of everything.
const SCHEMA: &[Step] = &[Step {
    name: "0001_item",
    sqlite: "
        create table item (
            id      text    not null primary key,
            name    text,
            amount  bigint  not null,
            version bigint  not null default 0,
            flag    boolean,
            sealed  blob,
            parent  text references item (id),
            constraint item_amount_not_negative check (amount >= 0),
            unique (name, version)
        );
        create unique index item_sealed on item (sealed);
        create table note (id text not null primary key, text text);",
    postgres: "
        create table item (
            id      text    not null primary key,
            name    text,
            amount  bigint  not null,
            version bigint  not null default 0,
            flag    boolean,
            sealed  bytea,
            parent  text references item (id),
            constraint item_amount_not_negative check (amount >= 0),
            unique (name, version)
        );
        create unique index item_sealed on item (sealed);
        create table note (id text not null primary key, text text);",
}];

/// A database for one test.
struct TestDatabase {
    url: String,
    directory: Option<TempDir>,
    cluster: Option<Arc<Cluster>>,
}

impl TestDatabase {
    fn sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        Self {
            url: format!("sqlite:{}/data/test.db", directory.path().display()),
            directory: Some(directory),
            cluster: None,
        }
    }

    /// Creates a database in the server that all tests share.
    fn postgres() -> Option<Self> {
        Self::on_cluster(TestPostgres::start_or_explain().ok()?)
    }

    /// Creates a database in a server that the test may kill.
    fn own_postgres() -> Option<Self> {
        Self::on_cluster(TestPostgres::start_own_or_explain().ok()?)
    }

    fn on_cluster(cluster: Arc<Cluster>) -> Option<Self> {
        Some(Self {
            url: cluster.create_database(),
            directory: None,
            cluster: Some(cluster),
        })
    }

    async fn open_with(&self, options: Options) -> Engine {
        Engine::open(&self.url, options).await.unwrap()
    }

    /// Returns host and port of the server.
    fn address(&self) -> String {
        self.url.split(['@', '/']).nth(3).unwrap().to_owned()
    }

    /// Opens the database with the schema.
    async fn open(&self) -> Engine {
        let engine = self.open_with(Options::default()).await;
        engine.migrate_by(SCHEMA).await.unwrap();
        engine
    }
}

/// Makes each of the named functions, which take a [`TestDatabase`], a test on either engine.
macro_rules! on_both_engines {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(super::TestDatabase::sqlite()).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                let Some(database) = super::TestDatabase::postgres() else { return };
                super::$test(database).await;
            })*
        }
    };
}
use on_both_engines;

const INSERT: &str = "insert into item (id, amount) values ($1, $2)";

/// Inserts an item that doesn't exist.
fn insert(id: &str, amount: i64) -> Write {
    Write::new(INSERT, values![id, amount])
}

/// Changes an item that was read at `version`.
fn update(id: &str, version: i64, amount: i64) -> Write {
    let sql = "update item set amount = $3, version = version + 1 where id = $1 and version = $2";
    Write::new(sql, values![id, version, amount])
}

/// Inserts a note that doesn't exist, in a table of its own.
fn note(id: &str) -> Write {
    let sql = "insert into note (id, text) values ($1, $2) on conflict (id) do nothing";
    Write::new(sql, values![id, "text"])
        .on("note")
        .or_duplicate("note")
}

/// Returns every item with its amount, by id.
async fn items(engine: &Engine) -> Vec<(String, i64)> {
    let read = Read::new("select id, amount from item order by id", values![]);
    let rows = engine.fetch(read).await.unwrap();
    rows.iter()
        .map(|row| (row.text("id").unwrap(), row.int("amount").unwrap()))
        .collect()
}

fn rows(items: &[(&str, i64)]) -> Vec<(String, i64)> {
    items.iter().map(|(id, n)| ((*id).to_owned(), *n)).collect()
}
