//! The database as a whole.

use async_trait::async_trait;

use super::failure::StoreFailure;

/// What is asked of the database as a whole.
#[async_trait]
pub trait Database: Send + Sync {
    /// Looks whether another server changed keys or accounts, so that what is kept in memory is read anew.
    async fn notice_changes(&self) -> Result<(), StoreFailure>;

    /// Whether something could be stored now.
    async fn check_writes(&self) -> Result<(), StoreFailure>;

    /// Damage of the database's file; nothing where it is whole, or where the database looks for it by itself. Takes seconds
    /// where the file is large.
    async fn file_faults(&self) -> Result<Vec<String>, StoreFailure>;

    /// Names of migrations that are not applied; empty when the store is ready.
    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure>;
}
