//! The port that reads client secrets of subscriptions.

use async_trait::async_trait;
use multirail_api::Subscriber;
use multirail_app::AppError;
use multirail_kernel::ids::{MerchantId, ProfileId};

/// Finds the subscriptions of client secrets. The subject with subscriptions implements it.
#[async_trait]
pub trait SubscriberReader: Send + Sync {
    /// Returns the payer's client of a subscription. The secret names the subscription where the call doesn't.
    ///
    /// # Errors
    /// A secret of another or no subscription, or an expired one; a subscription of another profile; a store that
    /// fails.
    async fn read(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, AppError>;
}
