//! What dynamic routing has learned, at rest: buckets of elimination, and how accounts did lately.

use async_trait::async_trait;
use multirail_domain::routing::elimination::{EliminationConfig, Full, Standing};
use multirail_domain::routing::success_based;
use multirail_domain::routing::success_based::SuccessBasedConfig;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProcessorKey, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::connector::advice::ErrorCategory;

use crate::platform::ports::failure::StoreFailure;

/// Something that is counted in the commit that records it.
#[derive(Debug)]
pub enum DynamicRoutingChange {
    CountForElimination(Box<Counted<EliminationConfig>>),
    CountForSuccessRates(Box<Counted<SuccessBasedConfig>>),
}

/// What is counted of one account, at one moment.
#[derive(Debug)]
pub struct Counted<C> {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    /// By what it is counted.
    pub config: C,
    /// The values of the payment, by the configuration's `params`.
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// The authorization that says it.
    pub key: ProcessorKey,
    /// Why the processor is at fault, where it is.
    pub fault: Option<ErrorCategory>,
    /// Otherwise the authorization was refused, or isn't heard of.
    pub is_approved: bool,
    pub at: Timestamp,
}

#[async_trait]
pub trait DynamicRoutingStore: Changes<DynamicRoutingChange> {
    /// The full buckets of a profile.
    async fn full_buckets(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Vec<Full>, StoreFailure>;

    /// The counts of elimination in a profile.
    async fn elimination_standing(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Standing, StoreFailure>;

    /// How the accounts of a profile did in the blocks that count.
    async fn success_counts(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &SuccessBasedConfig,
        now: Timestamp,
    ) -> Result<Vec<success_based::Counted>, StoreFailure>;

    /// Deletes what doesn't count any more; answers how many rows.
    async fn purge_dynamic_routing(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
