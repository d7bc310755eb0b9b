//! The client secrets of subscriptions, as the frame checks them.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_api::Subscriber;
use multirail_app::AppError;
use multirail_billing::app::subscriptions::SubscriptionReads;
use multirail_kernel::ids::{MerchantId, ProfileId};

use multirail_http::platform::subscriber_reader::SubscriberReader;

/// Finds subscriptions by their client secrets.
pub struct SubscriberSecrets(pub Arc<SubscriptionReads>);

#[async_trait]
impl SubscriberReader for SubscriberSecrets {
    async fn read(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: Option<&str>,
        client_secret: &str,
    ) -> Result<Subscriber, AppError> {
        let found = self
            .0
            .by_client_secret(merchant_id, profile_id, subscription_id, client_secret)
            .await?;
        Ok(Subscriber {
            merchant_id: found.merchant_id.to_string(),
            profile_id: found.profile_id.to_string(),
            subscription_id: found.subscription_id.to_string(),
            customer_id: found.customer_id.to_string(),
        })
    }
}
