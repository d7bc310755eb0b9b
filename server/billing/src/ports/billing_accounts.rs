//! Billing's port to the connector accounts of a profile.

use async_trait::async_trait;
use multirail_billing_domain::chargeable::Chargeable;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};

use multirail_app::AppError;

/// Looks up the connector accounts of profiles.
#[async_trait]
pub trait BillingAccounts: Send + Sync {
    /// Returns the billing account that a profile names.
    ///
    /// # Errors
    /// An unknown profile; [`Refusal::Precondition`] if it names no account; [`Refusal::NotFound`] if the account
    /// doesn't exist, is disabled or isn't a billing account; [`Refusal::FlowNotSupported`] if it belongs to an
    /// external engine.
    ///
    /// [`Refusal::Precondition`]: multirail_kernel::refusal::Refusal::Precondition
    /// [`Refusal::NotFound`]: multirail_kernel::refusal::Refusal::NotFound
    /// [`Refusal::FlowNotSupported`]: multirail_kernel::refusal::Refusal::FlowNotSupported
    async fn account(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<ConnectorAccountId, AppError>;

    /// Returns the amounts that can be charged by accounts that may charge a card in this currency without its payer.
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
