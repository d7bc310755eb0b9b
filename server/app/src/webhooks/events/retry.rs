//! Makes one manual retry of an event, at an operator's request.

use multirail_domain::webhooks::webhook::{DeliveryKind, Exchange};
use multirail_kernel::ids::MerchantId;

use super::Events;
use super::deliver::patiently;
use crate::AppError;
use crate::webhooks::ports::events::{DeliveryAttempt, StoredEvent};

impl Events {
    /// Makes one attempt, and plans no other, whatever the outcome. Without an address, records an attempt with an
    /// empty exchange. Returns the event with its body afterwards.
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
            kind,
            exchange: Exchange::default(),
            created_at: self.base.now(),
        });
        let endpoint = event.endpoint();
        patiently(|| self.store.record_manual_try(&endpoint, &made)).await?;
        // This attempt or another may have delivered it.
        let (event, body) = self.recorded(merchant_id, event.event_id.as_str()).await?;
        Ok((event, body, made))
    }
}
