//! One interface to SQLite and PostgreSQL, so that every SQL text is written once.
//!
//! Reads go through a pool of either engine. Writes are *batches*: all the statements of one change-set, each with the
//! number of rows that it must change. A batch is stored as a whole and durably, or leaves no trace and says why.
//!
//! | | SQLite | PostgreSQL |
//! |---|---|---|
//! | batch | one of several in a group commit by the one writer thread ([`sqlite`]) | a short transaction of its own ([`postgres`]) |
//! | time and JSON | `bigint` microseconds, `text` | the same |
//! | placeholders | `$n`, rewritten for the writer (`placeholders`) | `$n` |
//!
//! Code for differences that can't be hidden (`for update skip locked`, advisory locks) asks [`Engine::dialect`].

mod independence;
mod measure;
pub mod migrate;
mod options;
mod placeholders;
pub mod postgres;
pub mod sqlite;
#[cfg(test)]
mod tests;

pub use migrate::{Migrated, PendingMigration};
pub use multirail_sql::{
    Bindable, Column, ConstraintKind, Dialect, Expect, Kind, Miss, Read, Row, StoreError, Value,
    Write, WriteError, values,
};
pub use options::{Fatal, FileCheck, Options};

use std::path::Path;
use std::time::Instant;

use migrate::{STEPS, Step};
use postgres::Postgres;
use sqlite::Sqlite;

/// An open database. Clones share it.
#[derive(Clone, Debug)]
pub enum Engine {
    /// A file, written by this process alone.
    Sqlite(Sqlite),
    /// A server, shared by any number of processes.
    Postgres(Postgres),
}

impl Engine {
    /// Opens `sqlite:<path>` or `postgres://<user>:<password>@<host>/<database>?sslmode=...`. A missing SQLite file is
    /// created, with its directory.
    ///
    /// # Errors
    /// - [`StoreError::Unavailable`] while a PostgreSQL server can't be reached; another attempt may succeed.
    /// - [`StoreError::Locked`] while another process has the file.
    /// - [`StoreError::Open`] otherwise.
    pub async fn open(url: &str, options: Options) -> Result<Self, StoreError> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            Ok(Self::Sqlite(Sqlite::open(path, options).await?))
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Ok(Self::Postgres(Postgres::open(url, options).await?))
        } else {
            // The address may hold a password, so it isn't repeated.
            Err(StoreError::open(
                "its address must begin with sqlite: or postgres://",
            ))
        }
    }

    /// Opens a SQLite file that nothing writes to, such as a backup, for reading. Changes neither the file nor its folder.
    ///
    /// # Errors
    /// [`StoreError::Open`] if that fails.
    pub async fn open_at_rest(path: &Path, options: Options) -> Result<Self, StoreError> {
        Ok(Self::Sqlite(Sqlite::open_at_rest(path, options).await?))
    }

    /// Returns the faults of the database's file, in SQLite's words; none if the file is sound. Takes seconds for a large
    /// file. Always none on PostgreSQL, which reports a damaged page when it reads one.
    ///
    /// # Errors
    /// Fails when the file can't be read for another reason.
    pub async fn file_faults(&self) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.faults().await,
            Self::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Returns the engine's kind of SQL.
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Returns all rows of a query. They include every batch whose [`Engine::write`] has returned.
    pub async fn fetch(&self, read: Read) -> Result<Vec<Row>, StoreError> {
        refuse_nul(&read.parameters)?;
        #[cfg(feature = "counted")]
        counted::one();
        match self {
            Self::Sqlite(sqlite) => sqlite.fetch(&read).await,
            Self::Postgres(postgres) => postgres.fetch(&read).await,
        }
    }

    /// Returns the first row of a query, if there is one.
    pub async fn fetch_optional(&self, read: Read) -> Result<Option<Row>, StoreError> {
        Ok(self.fetch(read).await?.into_iter().next())
    }

    /// Stores a batch: all of its statements in order, or none. Returns how many rows each statement changed, once that is
    /// on disk.
    ///
    /// # Errors
    /// - [`WriteError::Miss`] with the [`Miss`] of the first statement that changed another number of rows than expected.
    /// - [`StoreError::OutcomeUnknown`] is the only error after which the batch may have been stored.
    pub async fn write(&self, batch: Vec<Write>) -> Result<Vec<u64>, WriteError> {
        for write in &batch {
            refuse_nul(&write.parameters)?;
        }
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        debug_assert_eq!(independence::fault(&batch), None);
        let started = Instant::now();
        let answer = match self {
            Self::Sqlite(sqlite) => sqlite.write(batch).await,
            Self::Postgres(postgres) => postgres.write(&batch).await,
        };
        measure::written(self.dialect(), started, &answer);
        answer
    }

    /// Migrates the schema to this program's version; waits while another process does it. Returns the migrations that were
    /// pending, also if another process was faster.
    pub async fn migrate(&self) -> Result<Migrated, StoreError> {
        self.migrate_by(STEPS).await
    }

    /// Returns the migrations of this program that the database hasn't had.
    pub async fn pending_migrations(&self) -> Result<Vec<PendingMigration>, StoreError> {
        self.pending_of(STEPS).await
    }

    /// Returns the name of the last migration that the database had, or its number if this program doesn't know it. A new
    /// database has had none.
    ///
    /// # Errors
    /// Fails when the database can't be read.
    pub async fn last_migration(&self) -> Result<Option<String>, StoreError> {
        let last = migrate::applied(self).await?.into_iter().max();
        let name = |version| {
            let step = STEPS.iter().find(|step| step.version() == version);
            step.map_or_else(|| format!("{version:04}"), |step| step.name.to_owned())
        };
        Ok(last.map(name))
    }

    async fn migrate_by(&self, steps: &[Step]) -> Result<Migrated, StoreError> {
        // Refuses an unknown database before anything in it is changed.
        let pending = self.pending_of(steps).await?;
        let before = migrate::applied(self).await?;
        let migrator = migrate::migrator(steps, self.dialect());
        match self {
            Self::Sqlite(sqlite) => sqlite.migrate(migrator).await?,
            Self::Postgres(postgres) => postgres.migrate(&migrator).await?,
        }
        Ok(Migrated::from_steps(&before, &pending))
    }

    async fn pending_of(&self, steps: &[Step]) -> Result<Vec<PendingMigration>, StoreError> {
        let applied = migrate::applied(self).await?;
        migrate::pending(steps, &applied)
    }

    /// Checks whether a batch could be stored now. After a standstill it tries a write; otherwise it only reads the state.
    /// Always succeeds on PostgreSQL, where any query shows the state.
    ///
    /// # Errors
    /// The error that [`Engine::write`] would return.
    pub async fn check_writes(&self) -> Result<(), WriteError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.check().await,
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Checks whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(sqlite) => {
                let read = Read::new("select 1", Vec::new());
                sqlite.fetch(&read).await.map(drop)
            }
            Self::Postgres(postgres) => postgres.ping().await,
        }
    }

    /// Stores the accepted batches, then closes the database. Later calls on any clone return [`StoreError::Closed`].
    pub async fn close(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.close().await,
            Self::Postgres(postgres) => postgres.close().await,
        }
    }
}

/// Refuses NUL characters, which SQLite stores as text and PostgreSQL doesn't.
fn refuse_nul(parameters: &[Value]) -> Result<(), StoreError> {
    let nul = parameters
        .iter()
        .position(|value| matches!(value, Value::Text(text) if text.as_bytes().contains(&0)));
    match nul {
        Some(index) => Err(StoreError::NulInText(index + 1)),
        None => Ok(()),
    }
}

/// Counts queries, for tests.
#[cfg(feature = "counted")]
pub mod counted {
    use std::cell::Cell;

    tokio::task_local! {
        static READS: Cell<u64>;
    }

    pub(super) fn one() {
        // Outside of a count nothing is counted.
        let _ = READS.try_with(|reads| reads.set(reads.get() + 1));
    }

    /// Returns the result of some work, and the number of its queries.
    pub async fn reads_of<T>(work: impl Future<Output = T>) -> (T, u64) {
        let counting = async {
            let done = work.await;
            (done, READS.with(Cell::get))
        };
        READS.scope(Cell::new(0), counting).await
    }
}
