//! Customers as processors know them, and the deletions that processors are still to be asked for.

use async_trait::async_trait;
use multirail_kernel::ids::{ConnectorAccountId, CustomerId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::KeptAtProcessor;

use crate::platform::ports::failure::StoreFailure;

/// A deletion that this server claimed and will ask a processor for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDeletion {
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub kept: KeptAtProcessor,
    /// The number of failed requests.
    pub tries: i64,
    /// The number of claims.
    pub fence: i64,
}

#[async_trait]
pub trait ConnectorCustomerStore: Send + Sync {
    /// Returns the id by which the processor of this account knows a customer.
    async fn connector_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<String>, StoreFailure>;

    /// Claims the deletion that has been due the longest at `now` of business time, until `lease_until` of `wall` time.
    async fn claim_connector_deletion(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedDeletion>, StoreFailure>;

    /// Counts a failed request, unless another server has claimed the deletion meanwhile.
    async fn put_off_connector_deletion(
        &self,
        deletion: &ClaimedDeletion,
        due_at: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Ends a deletion that is done, unless another server has claimed it meanwhile.
    async fn end_connector_deletion(&self, deletion: &ClaimedDeletion) -> Result<(), StoreFailure>;
}
