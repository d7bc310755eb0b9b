//! The consent by which payers gave mandates. Payments keep it, with who paid, and fill this in.

use std::collections::BTreeMap;

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::consent::Consent;

use crate::platform::ports::failure::StoreFailure;

/// Looks up the consent that payments brought.
#[async_trait]
pub trait ConsentStore: Send + Sync {
    /// Returns the consent of those of the payments that brought one. Nobody knows it any more once the customer was forgotten.
    async fn consents(
        &self,
        merchant_id: &MerchantId,
        payments: &[PaymentId],
    ) -> Result<BTreeMap<PaymentId, Consent>, StoreFailure>;
}
