//! The database as a whole: its health, and the changes that a start makes.

use async_trait::async_trait;
use multirail_app::platform::ports::Database;
use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::timestamp::Timestamp;

use super::declared::Takeover;
use super::record;
use super::record::failure;
use super::settings;
use super::sql_store::SqlStore;
use crate::engine::{Engine, Read, Row, WriteError};

impl SqlStore {
    /// Ends the leases of an earlier run, after a start on a database that no other process can use.
    ///
    /// # Errors
    /// [`StoreFailure`] when the database can't be written.
    pub async fn take_over(&self, now: Timestamp) -> Result<(), StoreFailure> {
        let latest = now.plus_seconds(self.in_flight_seconds).unwrap_or(now);
        let start = Takeover { now, latest };
        let of_subjects = self.declared.iter();
        let writes = of_subjects.flat_map(|subject| (subject.take_over)(&start));
        let writes = writes.collect();
        record::write_any(&self.engine, writes).await.map(drop)
    }

    /// Stores a setting unless it is set already; returns the stored value.
    ///
    /// # Errors
    /// [`StoreFailure`] when the database can't be read or written.
    pub async fn remember(
        engine: &Engine,
        name: &str,
        value: &str,
    ) -> Result<String, StoreFailure> {
        settings::remember(engine, name, value).await
    }
}

/// Returns the name of the last migration that the database had.
///
/// # Errors
/// [`StoreFailure`] when the database can't be read, or had none.
pub async fn applied_schema(engine: &Engine) -> Result<String, StoreFailure> {
    let name = engine.last_migration().await.map_err(failure)?;
    name.ok_or_else(|| StoreFailure::Broken("it is no database of multirail".to_owned()))
}

/// Returns whether the database was created in a sandbox or in production; none if no server has started on it.
///
/// # Errors
/// [`StoreFailure`] when the database can't be read.
pub async fn stored_mode(engine: &Engine) -> Result<Option<String>, StoreFailure> {
    settings::read(engine, "mode").await
}

/// Returns the number and the hash of the last entry of the audit log, `<number>:<hash>`, unchecked.
///
/// # Errors
/// [`StoreFailure`] when the database can't be read.
pub async fn noted_audit_log(engine: &Engine) -> Result<Option<String>, StoreFailure> {
    let read = Read::new(
        "select entries, link from audit_head where chain = 1",
        Vec::new(),
    );
    let row = engine.fetch_optional(read).await.map_err(failure)?;
    let noted = |row: Row| {
        let (entries, link) = (row.int("entries")?, row.text("link")?);
        Ok(format!("{entries}:{link}"))
    };
    row.map(noted).transpose().map_err(failure)
}

#[async_trait]
impl Database for SqlStore {
    async fn notice_changes(&self) -> Result<(), StoreFailure> {
        self.cache.notice_changes().await?;
        self.keys.notice_changes().await
    }

    async fn check_writes(&self) -> Result<(), StoreFailure> {
        match self.engine.check_writes().await {
            Ok(()) => Ok(()),
            Err(WriteError::Store(error)) => Err(failure(error)),
            Err(WriteError::Miss(miss)) => {
                Err(StoreFailure::Broken(format!("a trial missed: {miss:?}")))
            }
        }
    }

    async fn file_faults(&self) -> Result<Vec<String>, StoreFailure> {
        self.engine.file_faults().await.map_err(failure)
    }

    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure> {
        self.engine.ping().await.map_err(failure)?;
        let pending = self.engine.pending_migrations().await.map_err(failure)?;
        Ok(pending
            .into_iter()
            .map(|migration| migration.name.to_owned())
            .collect())
    }
}
