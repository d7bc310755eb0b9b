//! SQLite: one file, one process, one writer thread, several readers.
//!
//! The file is in WAL mode with `synchronous=FULL`: a batch that was answered survives a power cut.
//! Both go through rusqlite, because sqlx hands every single statement to a thread and back; only the
//! migrations are sqlx's. The two share one SQLite library, as they must: two copies of it in one
//! process would break each other's file locks.

mod checkpoints;
mod desk;
mod errors;
mod files;
mod job;
mod lock;
mod reader;
mod statement;
mod writer;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Executor, Row as _};

use super::error::{StoreError, WriteError};
use super::migrate;
use super::options::Options;
use super::row::Row;
use super::statement::{Read, Write};
use lock::ProcessLock;
use reader::Reader;
use writer::Writer;

pub use writer::Statistics;

/// An open SQLite file. Clones share it.
#[derive(Clone, Debug)]
pub struct Sqlite {
    path: Arc<Path>,
    busy_timeout: Duration,
    writer: Writer,
    reader: Reader,
}

impl Sqlite {
    /// Opens the file at `path` (what follows `sqlite:`; two slashes before it may stay), and makes
    /// it and its directory for our eyes only if it isn't there.
    pub(super) async fn open(path: &str, options: Options) -> Result<Self, StoreError> {
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path.starts_with(':') || path.contains('?') {
            return Err(StoreError::open(
                "sqlite: wants the path of a file after it, without options",
            ));
        }
        let path: Arc<Path> = PathBuf::from(path).into();
        make_directory(&path)?;
        let lock = Arc::new(ProcessLock::take(&path)?);

        let writer = {
            let (path, lock, options) = (path.clone(), Arc::clone(&lock), options.clone());
            tokio::task::spawn_blocking(move || Writer::start(&path, lock, &options))
                .await
                .map_err(StoreError::open)??
        };
        // After the writer, which has turned on the write-ahead log that readers need.
        let reader = Reader::open(&path, writer.files(), lock, &options).await?;
        Ok(Self {
            path,
            busy_timeout: options.statement_timeout,
            writer,
            reader,
        })
    }

    pub(super) async fn fetch(&self, read: &Read) -> Result<Vec<Row>, StoreError> {
        self.reader.fetch(read).await
    }

    pub(super) async fn write(&self, batch: Vec<Write>) -> Result<Vec<u64>, WriteError> {
        self.writer.write(batch).await
    }

    /// Whether something could be stored now.
    pub(super) async fn check(&self) -> Result<(), WriteError> {
        self.writer.check().await
    }

    /// What the writer has done since the file was opened.
    pub fn statistics(&self) -> Statistics {
        self.writer.statistics()
    }

    pub(super) async fn migrate(&self, migrator: &Migrator) -> Result<(), StoreError> {
        let of_sqlx = |error| errors::of_sqlx(error, &self.path);
        let connect = SqliteConnectOptions::new()
            .filename(&self.path)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(self.busy_timeout)
            // Rebuilding a table, SQLite's way to change a constraint, drops the old one: references
            // to it must not fire. They are checked as a whole afterwards.
            .foreign_keys(false);
        let mut connection = connect.connect().await.map_err(of_sqlx)?;
        let result = migrator.run_direct(None, &mut connection, false).await;
        let result = match result {
            Ok(()) => match check_references(&mut connection).await {
                Ok(checked) => checked,
                Err(error) => Err(of_sqlx(error)),
            },
            Err(error) => Err(migrate::failure(error, of_sqlx)),
        };
        connection.close().await.map_err(of_sqlx)?;
        result
    }

    pub(super) async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }
}

async fn check_references(
    connection: &mut sqlx::SqliteConnection,
) -> Result<Result<(), StoreError>, sqlx::Error> {
    let broken = connection
        .fetch_optional("pragma foreign_key_check")
        .await?;
    Ok(match broken {
        None => Ok(()),
        Some(row) => Err(StoreError::Migration(format!(
            "rows of table {} refer to rows that are not there",
            row.try_get::<String, _>(0).unwrap_or_default()
        ))),
    })
}

fn make_directory(path: &Path) -> Result<(), StoreError> {
    let Some(directory) = path.parent().filter(|d| !d.as_os_str().is_empty()) else {
        return Ok(());
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|error| StoreError::open(format!("{}: {error}", directory.display())))
}
