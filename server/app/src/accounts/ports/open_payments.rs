//! The payments that keep a merchant account from being deleted.

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};

use crate::platform::ports::failure::StoreFailure;
use crate::{AppError, Origin};

/// What became of a payment that was to be set free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing of it is reserved any more.
    Free,
    /// The processor has refused to void it: what is reserved stays so until it lapses or is captured.
    Refused,
    /// Something is still to be learned or done.
    Open,
}

/// Finds the payments of a merchant that are not finished, and finishes them.
#[async_trait]
pub trait OpenPayments: Send + Sync {
    /// Returns the unfinished payments, of about so many at most.
    async fn unfinished(
        &self,
        merchant_id: &MerchantId,
        at_most: usize,
    ) -> Result<Vec<PaymentId>, StoreFailure>;

    /// Asks about what is open of a payment, and voids what is reserved.
    ///
    /// # Errors
    /// A store that fails.
    async fn set_free(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: &str,
    ) -> Result<Fate, AppError>;
}
