//! The database as a whole.

use async_trait::async_trait;

use super::failure::StoreFailure;

/// Queries about the database as a whole.
#[async_trait]
pub trait Database: Send + Sync {
    /// Checks whether another server changed keys or accounts, and drops cached data that is out of date.
    async fn notice_changes(&self) -> Result<(), StoreFailure>;

    /// Checks whether the database accepts writes now.
    async fn check_writes(&self) -> Result<(), StoreFailure>;

    /// Returns the damage of the database's file; empty where it is sound, or where the database checks itself. Takes
    /// seconds for a large file.
    async fn file_faults(&self) -> Result<Vec<String>, StoreFailure>;

    /// Returns the names of migrations that are not applied; none when the store is ready.
    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure>;
}
