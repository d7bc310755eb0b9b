//! Recorded events, and the ports that recording them needs.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::announcement::AnnouncedStatus;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{CustomerId, EventId, MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// An endpoint for deliveries. Limits and pauses apply to each endpoint separately.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    /// `None` for the profile's own address.
    pub endpoint_id: Option<WebhookEndpointId>,
}

/// An event to record. Its body contains an API answer, with a client secret, and is stored sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    pub event_id: EventId,
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub event_type: EventType,
    pub object_id: String,
    /// The attempt or capture of the event. One type is recorded once for it.
    pub about_id: String,
    /// The order among the events of one object.
    pub object_sequence: i64,
    /// The body as it is sent, byte for byte.
    pub body: SecretText,
    /// The customer whose data the body contains. The body is unreadable once the customer's key is destroyed.
    pub customer_id: Option<CustomerId>,
    /// The time of delivery; `None` where the profile doesn't want the event or has no address.
    pub deliver_at: Option<Timestamp>,
    /// The further endpoints that want the event, which is due for them at once.
    pub endpoints: Vec<WebhookEndpointId>,
    pub created_at: Timestamp,
}

impl EventRecord {
    /// Returns the profile's own address as an endpoint.
    pub fn endpoint(&self) -> Endpoint {
        self.at(None)
    }

    /// Returns the endpoints that the event is queued for.
    pub fn queued_for(&self) -> impl Iterator<Item = Endpoint> {
        let own = self.deliver_at.map(|_| self.endpoint());
        let further = self.endpoints.iter();
        own.into_iter()
            .chain(further.map(|endpoint_id| self.at(Some(endpoint_id.clone()))))
    }

    /// Returns one of the profile's endpoints.
    pub fn at(&self, endpoint_id: Option<WebhookEndpointId>) -> Endpoint {
        Endpoint {
            merchant_id: self.merchant_id.clone(),
            profile_id: self.profile_id.clone(),
            endpoint_id,
        }
    }
}

/// The events that a profile wants delivered.
pub trait Wishes: Send + Sync {
    /// Returns whether the profile wants events about this status.
    fn wants(&self, status: AnnouncedStatus) -> bool;

    /// Returns the further endpoints that want events of this type.
    fn endpoints(&self, event_type: EventType) -> Vec<WebhookEndpointId>;
}

/// Reads which events profiles want delivered.
#[async_trait]
pub trait WishStore: Send + Sync {
    /// Reads the wishes of a profile; `None` where the profile doesn't exist.
    async fn wishes(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<dyn Wishes>>, StoreFailure>;
}

/// Receives hints about queued events.
pub trait DeliveryQueue: Send + Sync {
    /// Reports that a delivery is due for this endpoint.
    fn notify(&self, endpoint: Endpoint);
}
