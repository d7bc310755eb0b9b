//! Tries that all servers count together.

use async_trait::async_trait;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::try_limit::TryLimit;

use super::failure::StoreFailure;

#[async_trait]
pub trait TryStore: Send + Sync {
    /// Counts a try under this hash, for all servers together. After too many it counts nothing, and returns the
    /// seconds until the next one is allowed.
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

    /// Deletes expired tries and places; returns their number.
    async fn purge_tries(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
