//! The redactions of payments that are still to be done, at rest. The commit that redacts a customer files one.

use async_trait::async_trait;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::ports::failure::StoreFailure;

/// The redaction of one customer's payments, which this server has taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedRedaction {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
    pub progress: Progress,
    /// When the customer was redacted.
    pub requested_at: Timestamp,
    /// Counts the claims.
    pub fence: i64,
}

/// How far a redaction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Payments of before are done; of payments of the same moment those up to an id, which is empty at first.
    pub done_until: Timestamp,
    pub done_payment_id: String,
    pub is_last_pass: bool,
    /// Payments of this pass that could not be redacted.
    pub skipped: i64,
}

impl Progress {
    /// Where a pass begins.
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
    /// A page of a customer's payments that are not done yet, with the time of their creation, oldest first.
    async fn payments_of_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        progress: &Progress,
        at_most: i64,
    ) -> Result<Vec<(Timestamp, PaymentId)>, StoreFailure>;

    /// Claims the redaction that has been due the longest, if any is due at `now` of business time, until `lease_until` of
    /// `wall` time.
    async fn claim_redaction(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedRedaction>, StoreFailure>;

    /// Notes how far a claimed redaction is, when it is due next and until when it is claimed. False where another server
    /// has taken it up meanwhile.
    async fn note_redaction(
        &self,
        claimed: &ClaimedRedaction,
        due_at: Timestamp,
        lease_until: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// Nothing is left to redact, unless another server has taken it up meanwhile.
    async fn end_redaction(&self, claimed: &ClaimedRedaction) -> Result<(), StoreFailure>;
}
