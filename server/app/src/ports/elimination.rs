//! Buckets of elimination at rest, and how accounts did lately.

use async_trait::async_trait;
use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::routing::elimination::{EliminationConfig, Full, Observed};
use multirail_domain::timestamp::Timestamp;

use super::failure::StoreFailure;

/// Something that is counted in the commit that records it.
#[derive(Debug)]
pub enum EliminationChange {
    Count(Box<Counted>),
}

/// One account, at one moment.
#[derive(Debug)]
pub struct Counted {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub config: EliminationConfig,
    pub observed: Observed,
    pub at: Timestamp,
}

#[async_trait]
pub trait EliminationStore: Send + Sync {
    /// The full buckets of a profile, and how their accounts did since.
    async fn full_buckets(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Vec<Full>, StoreFailure>;

    /// Deletes what doesn't count any more; answers how many rows.
    async fn purge_elimination(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
