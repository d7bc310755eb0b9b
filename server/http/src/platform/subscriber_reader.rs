//! The port through which the frame learns whose client secret of a subscription a call presents.

use async_trait::async_trait;
use multirail_api::Subscriber;
use multirail_app::AppError;
use multirail_kernel::ids::{MerchantId, ProfileId};

/// Knows the subscriptions behind client secrets. The subject that has subscriptions fills it in.
#[async_trait]
pub trait SubscriberReader: Send + Sync {
    /// Returns the payer's client of a subscription. Where the call doesn't name the subscription, the secret does.
    ///
    /// # Errors
    /// A secret that is another's, of none, or lapsed; a subscription of another profile; a store that fails.
    async fn read(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, AppError>;
}
