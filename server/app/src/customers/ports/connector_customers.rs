//! Customers as processors know them, and what processors are still to be asked to delete, at rest.

use async_trait::async_trait;
use multirail_kernel::ids::{ConnectorAccountId, CustomerId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::KeptAtProcessor;

use crate::platform::ports::failure::StoreFailure;

/// A deletion that one processor is to be asked for, and that this server has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDeletion {
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub kept: KeptAtProcessor,
    /// Requests that came to nothing.
    pub tries: i64,
    /// Counts the claims.
    pub fence: i64,
}

#[async_trait]
pub trait ConnectorCustomerStore: Send + Sync {
    /// By what the processor of this account knows a customer.
    async fn connector_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<String>, StoreFailure>;

    /// Claims the deletion that has been due the longest, if any is due at `now` of business time, until `lease_until` of `wall`
    /// time.
    async fn claim_connector_deletion(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedDeletion>, StoreFailure>;

    /// Counts a request that came to nothing, unless another server has taken it up meanwhile.
    async fn put_off_connector_deletion(
        &self,
        deletion: &ClaimedDeletion,
        due_at: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// It is done, unless another server has taken it up meanwhile.
    async fn end_connector_deletion(&self, deletion: &ClaimedDeletion) -> Result<(), StoreFailure>;
}
