//! The stored data of dynamic routing: buckets of elimination, and the recent success of accounts.

use async_trait::async_trait;
use multirail_domain::routing::elimination::{EliminationConfig, Full, Standing};
use multirail_domain::routing::success_based;
use multirail_domain::routing::success_based::SuccessBasedConfig;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProcessorKey, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;
use multirail_sdk::connector::advice::ErrorCategory;

use crate::platform::ports::failure::StoreFailure;

/// A count that is stored in the commit of the observed answer.
#[derive(Debug)]
pub enum DynamicRoutingChange {
    CountForElimination(Box<Counted<EliminationConfig>>),
    CountForSuccessRates(Box<Counted<SuccessBasedConfig>>),
}

/// An observation of one account at one time.
#[derive(Debug)]
pub struct Counted<C> {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    /// The configuration that counts it.
    pub config: C,
    /// The payment's values for the configuration's `params`.
    pub parameters: String,
    pub account: ConnectorAccountId,
    /// The observed authorization.
    pub key: ProcessorKey,
    /// The reason why the processor is at fault, if it is.
    pub fault: Option<ErrorCategory>,
    /// True if it was approved; otherwise it was refused or has no answer.
    pub is_approved: bool,
    pub at: Timestamp,
}

#[async_trait]
pub trait DynamicRoutingStore: Changes<DynamicRoutingChange> {
    /// Returns the full buckets of a profile.
    async fn full_buckets(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Vec<Full>, StoreFailure>;

    /// Returns the counts of elimination in a profile.
    async fn elimination_standing(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Standing, StoreFailure>;

    /// Returns the success of a profile's accounts in the blocks that count.
    async fn success_counts(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &SuccessBasedConfig,
        now: Timestamp,
    ) -> Result<Vec<success_based::Counted>, StoreFailure>;

    /// Deletes expired counts; returns the number of rows.
    async fn purge_dynamic_routing(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
