//! Events as they are recorded, and what their recording asks of others.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::announcement::AnnouncedStatus;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{CustomerId, EventId, MerchantId, ProfileId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::failure::StoreFailure;

/// An endpoint of deliveries, which are bounded and paused for each endpoint on its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
}

/// An event as it is recorded. Its body holds what an answer of the API holds, a client secret among it, and rests
/// sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    pub event_id: EventId,
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub event_type: EventType,
    pub object_id: String,
    /// The attempt or capture that it is about: the same type about the same thing is recorded once.
    pub about_id: String,
    /// The order among the events of one object.
    pub object_sequence: i64,
    /// What is sent, byte for byte.
    pub body: SecretText,
    /// The customer that it tells of: what it tells of him goes with his key.
    pub customer_id: Option<CustomerId>,
    /// When it is to be delivered; `None` where the profile wants no such event or has no address.
    pub deliver_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl EventRecord {
    /// Where it goes.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint {
            merchant_id: self.merchant_id.clone(),
            profile_id: self.profile_id.clone(),
        }
    }
}

/// The events that a profile wants delivered.
pub trait Wishes: Send + Sync {
    /// Returns whether an event is delivered that announces this status.
    fn wants(&self, status: AnnouncedStatus) -> bool;
}

/// Knows which events profiles want delivered.
#[async_trait]
pub trait WishStore: Send + Sync {
    /// Reads the wishes of a profile; nothing where there is no such profile.
    async fn wishes(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<dyn Wishes>>, StoreFailure>;
}

/// Hears of events that were queued.
pub trait DeliveryQueue: Send + Sync {
    /// Says that something is due for this endpoint.
    fn notify(&self, endpoint: Endpoint);
}
