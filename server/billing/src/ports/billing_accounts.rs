//! The questions of billing about the accounts of a profile.

use async_trait::async_trait;
use multirail_billing_domain::chargeable::Chargeable;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};

use multirail_app::AppError;

/// The accounts of profiles, as billing sees them.
#[async_trait]
pub trait BillingAccounts: Send + Sync {
    /// Returns the billing account that a profile names.
    ///
    /// # Errors
    /// An unknown profile; [`Refusal::Precondition`] where it names none; [`Refusal::NotFound`] where the account is gone,
    /// disabled or not one for billing; [`Refusal::FlowNotSupported`] where it is of an outside engine.
    ///
    /// [`Refusal::Precondition`]: multirail_kernel::refusal::Refusal::Precondition
    /// [`Refusal::NotFound`]: multirail_kernel::refusal::Refusal::NotFound
    /// [`Refusal::FlowNotSupported`]: multirail_kernel::refusal::Refusal::FlowNotSupported
    async fn account(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<ConnectorAccountId, AppError>;

    /// Returns the amounts that accounts can charge which may take a card of this currency without its payer.
    ///
    /// # Errors
    /// A store that fails.
    async fn chargeable(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        currency: Currency,
    ) -> Result<Chargeable, AppError>;
}
