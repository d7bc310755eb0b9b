//! Tries that are counted for all servers together, such as those to sign in.

use async_trait::async_trait;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::try_limit::TryLimit;

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
}
