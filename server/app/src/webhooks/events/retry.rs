//! Makes one manual retry of an event, at an operator's request.

use multirail_domain::webhooks::webhook::{DeliveryKind, Exchange};
use multirail_kernel::ids::MerchantId;

use super::Events;
use super::attempts::is_delivered;
use super::deliver::patiently;
use crate::AppError;
use crate::webhooks::ports::events::{DeliveryAttempt, StoredEvent};

impl Events {
    /// Makes one attempt, and plans no other, whatever the outcome. The id of an attempt at a further endpoint names that
    /// endpoint. Without an address, records an attempt with an empty exchange. Returns the event with its body afterwards.
    ///
    /// # Errors
    /// An unknown merchant account or event.
    pub async fn retry(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<(StoredEvent, String, DeliveryAttempt), AppError> {
        let (event, body) = self.recorded(merchant_id, event_id).await?;
        let (try_id, kind) = (self.base.event_id(), DeliveryKind::ManualRetry);
        let sent = self
            .deliveries
            .attempt(&event, &body, try_id.clone(), kind)
            .await?;
        let made = sent.unwrap_or_else(|| DeliveryAttempt {
            merchant_id: merchant_id.clone(),
            event_id: try_id,
            initial_attempt_id: event.event_id.clone(),
            endpoint_id: event.endpoint_id.clone(),
            kind,
            exchange: Exchange::default(),
            created_at: self.base.now(),
        });
        let endpoint = event.endpoint();
        patiently(|| self.store.record_manual_try(&endpoint, &made)).await?;
        // This attempt or another may have delivered it.
        let (mut event, body) = self.recorded(merchant_id, made.event_id.as_str()).await?;
        if event.endpoint_id.is_some() {
            let tries = self
                .store
                .delivery_attempts(merchant_id, &event.event_id)
                .await?;
            event.is_delivered = is_delivered(None, event.endpoint_id.as_ref(), &tries);
        }
        Ok((event, body, made))
    }
}
