//! Tries that are counted for all servers together.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::try_limit::TryLimit;

use super::failure::StoreFailure;

#[async_trait]
pub trait TryStore: Send + Sync {
    /// Counts a try about what has this hash, for all servers together. In how many seconds one more may be, where there are
    /// too many; then it isn't counted.
    async fn count_try(
        &self,
        hash: &str,
        limit: TryLimit,
        now: Timestamp,
    ) -> Result<Option<i64>, StoreFailure>;

    /// Remembers a place where a user has signed in, by its hash.
    async fn remember_place(&self, hash: &str, until: Timestamp) -> Result<(), StoreFailure>;

    /// Returns whether the place of this hash is remembered.
    async fn is_known_place(&self, hash: &str, now: Timestamp) -> Result<bool, StoreFailure>;

    /// Deletes what counts no more, and places whose time is over; answers how many.
    async fn purge_tries(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
