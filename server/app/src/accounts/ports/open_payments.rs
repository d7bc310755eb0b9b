//! The payments that prevent the deletion of a merchant account.

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};

use crate::platform::ports::failure::StoreFailure;
use crate::{AppError, Origin};

/// The outcome of releasing a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The payment reserves nothing any more.
    Free,
    /// The processor refused to void it: the reservation stays until it lapses or is captured.
    Refused,
    /// An outcome is unknown, or an operation is still to be done.
    Open,
}

/// Finds the payments of a merchant that are not finished, and finishes them.
#[async_trait]
pub trait OpenPayments: Send + Sync {
    /// Returns the unfinished payments, at most about `at_most`.
    async fn unfinished(
        &self,
        merchant_id: &MerchantId,
        at_most: usize,
    ) -> Result<Vec<PaymentId>, StoreFailure>;

    /// Syncs the open operations of a payment, and voids its reservation.
    ///
    /// # Errors
    /// A store that fails.
    async fn release_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: &str,
    ) -> Result<Fate, AppError>;
}
