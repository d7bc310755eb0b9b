//! The purge of rows with a limited lifetime.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// Deletes expired rows. The reaper calls it on the satellites, which it doesn't know.
#[async_trait]
pub trait Purge: Send + Sync {
    /// Returns the name of the deleted rows, for the log.
    fn what(&self) -> &'static str;

    /// Deletes at most `at_most` rows of each kind; returns the number of all. More may be left if it is `at_most` or more.
    async fn purge(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
