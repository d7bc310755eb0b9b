//! Stored redactions of payments that are still to be done. The commit that redacts a customer adds one.

use async_trait::async_trait;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::ports::failure::StoreFailure;

/// The redaction of one customer's payments that this server has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedRedaction {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
    pub progress: Progress,
    /// The time of the customer's redaction.
    pub requested_at: Timestamp,
    /// The number of claims.
    pub fence: i64,
}

/// The progress of a redaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Payments created before this time are done. Of those created at this time, the ones up to an id are done; the id
    /// is empty at first.
    pub done_until: Timestamp,
    pub done_payment_id: String,
    pub is_last_pass: bool,
    /// The number of payments that this pass could not redact.
    pub skipped: i64,
}

impl Progress {
    /// Returns the start of a pass.
    pub fn of_pass(is_last_pass: bool) -> Self {
        Progress {
            done_until: Timestamp::EPOCH,
            done_payment_id: String::new(),
            is_last_pass,
            skipped: 0,
        }
    }
}

#[async_trait]
pub trait RedactionStore: Send + Sync {
    /// Returns a page of a customer's payments that are not done yet, with their creation times, oldest first.
    async fn payments_of_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        progress: &Progress,
        at_most: i64,
    ) -> Result<Vec<(Timestamp, PaymentId)>, StoreFailure>;

    /// Claims the redaction that has been due the longest at `now` of business time, until `lease_until` of `wall`
    /// time.
    async fn claim_redaction(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedRedaction>, StoreFailure>;

    /// Stores the progress of a claimed redaction, its next due time and its lease. Returns `false` where another
    /// server has claimed it meanwhile.
    async fn note_redaction(
        &self,
        claimed: &ClaimedRedaction,
        due_at: Timestamp,
        lease_until: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// Ends a redaction that is done, unless another server has claimed it meanwhile.
    async fn end_redaction(&self, claimed: &ClaimedRedaction) -> Result<(), StoreFailure>;
}
