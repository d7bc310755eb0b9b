//! The delivery attempts of one event.

use multirail_domain::webhooks::webhook::{DeliveryKind, Exchange};
use multirail_kernel::ids::{MerchantId, WebhookEndpointId};
use multirail_kernel::refusal::{Object, Refusal};

use super::Events;
use crate::AppError;
use crate::webhooks::ports::events::{DeliveryAttempt, StoredEvent};

/// An event with its delivery attempts.
#[derive(Clone, Debug)]
pub struct EventDeliveries {
    pub event: StoredEvent,
    /// The body of every attempt.
    pub body: String,
    /// The attempts, newest first, always with the initial one. An attempt that was not made has an empty exchange.
    pub tries: Vec<DeliveryAttempt>,
}

impl Events {
    /// Returns the attempts of an event. The id of any attempt names the event.
    ///
    /// # Errors
    /// An unknown merchant account or event.
    pub async fn attempts(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<EventDeliveries, AppError> {
        let (mut event, body) = self.recorded(merchant_id, event_id).await?;
        let mut tries = self
            .store
            .delivery_attempts(merchant_id, &event.event_id)
            .await?;
        // The id may be that of an attempt at an endpoint.
        if event.endpoint_id.take().is_some() {
            let own = self
                .store
                .event(merchant_id, event.event_id.as_str())
                .await?;
            event.is_delivered = own.and_then(|(own, _)| own.is_delivered);
        }
        event.is_delivered = is_delivered(event.is_delivered, None, &tries);
        if !tries.iter().any(|made| made.event_id == event.event_id) {
            tries.push(not_sent(&event));
        }
        Ok(EventDeliveries { event, body, tries })
    }

    /// Returns the event of an initial attempt or of any retry, with its body.
    pub(crate) async fn recorded(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<(StoredEvent, String), AppError> {
        self.merchants.find(merchant_id).await?;
        let found = self.store.event(merchant_id, event_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Event).into())
    }
}

impl EventDeliveries {
    /// Returns whether the event is delivered to the address of an attempt.
    pub fn is_delivered_like(&self, made: &DeliveryAttempt) -> Option<bool> {
        match &made.endpoint_id {
            None => self.event.is_delivered,
            endpoint => is_delivered(None, endpoint.as_ref(), &self.tries),
        }
    }
}

/// Returns whether the event is delivered to an address. The event was read before its attempts, so an attempt that
/// delivered it in between counts too.
pub(super) fn is_delivered(
    said: Option<bool>,
    endpoint: Option<&WebhookEndpointId>,
    tries: &[DeliveryAttempt],
) -> Option<bool> {
    let there = tries.iter();
    let mut there = there.filter(|made| made.endpoint_id.as_ref() == endpoint);
    if there.clone().next().is_none() {
        return said;
    }
    let arrived = there.any(|made| made.exchange.is_delivered());
    Some(arrived || said == Some(true))
}

/// Returns an initial attempt that has not been made yet, as the API shows it.
fn not_sent(event: &StoredEvent) -> DeliveryAttempt {
    DeliveryAttempt {
        merchant_id: event.merchant_id.clone(),
        event_id: event.event_id.clone(),
        initial_attempt_id: event.event_id.clone(),
        endpoint_id: None,
        kind: DeliveryKind::InitialAttempt,
        exchange: Exchange::default(),
        created_at: event.created_at,
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::ids::EventId;
    use multirail_kernel::timestamp::Timestamp;

    use super::*;

    #[test]
    fn a_try_says_more_than_an_event_that_was_read_before_it() {
        let answered = |status| {
            let id = EventId::parse("evt_1").expect("an id");
            DeliveryAttempt {
                merchant_id: MerchantId::parse("bookshop").expect("an id"),
                event_id: id.clone(),
                initial_attempt_id: id,
                endpoint_id: None,
                kind: DeliveryKind::InitialAttempt,
                exchange: Exchange {
                    status_code: Some(status),
                    ..Exchange::default()
                },
                created_at: Timestamp::EPOCH,
            }
        };
        assert_eq!(is_delivered(None, None, &[]), None);
        assert_eq!(is_delivered(None, None, &[answered(500)]), Some(false));
        assert_eq!(is_delivered(None, None, &[answered(204)]), Some(true));
        let both = [answered(200), answered(500)];
        assert_eq!(is_delivered(Some(false), None, &both), Some(true));
        assert_eq!(is_delivered(Some(true), None, &[answered(500)]), Some(true));
        let elsewhere = WebhookEndpointId::parse("whe_1").expect("an id");
        let accepted = [answered(204)];
        assert_eq!(is_delivered(None, Some(&elsewhere), &accepted), None);
    }
}
