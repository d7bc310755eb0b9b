//! The purge of rows that are kept for a time only.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// Deletes what has had its time. The reaper asks the satellites, which it doesn't know.
#[async_trait]
pub trait Purge: Send + Sync {
    /// The name of the deleted rows, for the log.
    fn what(&self) -> &'static str;

    /// Deletes some at most; answers how many.
    async fn purge(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
