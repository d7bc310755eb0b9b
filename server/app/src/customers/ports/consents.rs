//! The consent with which payers gave mandates. Payments store it with the payer's data and implement this port.

use std::collections::BTreeMap;

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::consent::Consent;

use crate::platform::ports::failure::StoreFailure;

/// Looks up the consent that came with payments.
#[async_trait]
pub trait ConsentStore: Send + Sync {
    /// Returns the consent of those payments that have one. A redacted customer's consent is gone.
    async fn consents(
        &self,
        merchant_id: &MerchantId,
        payments: &[PaymentId],
    ) -> Result<BTreeMap<PaymentId, Consent>, StoreFailure>;
}
