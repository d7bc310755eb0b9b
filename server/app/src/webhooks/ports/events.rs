//! Recorded events and their delivery. Every look-up names its merchant; the delivery queue is worked through by endpoint.

use async_trait::async_trait;
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind, Exchange};
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::accounts::ports::profiles::EndpointHealth;
use crate::platform::ports::failure::StoreFailure;

pub use crate::platform::ports::event_record::{Endpoint, EventRecord};

/// A change of what merchants were told.
#[derive(Debug)]
pub enum EventChange {
    /// Says something else than it did, because who it told of is forgotten.
    Rewrite {
        merchant_id: MerchantId,
        event_id: EventId,
        body: SecretText,
    },
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    pub merchant_id: MerchantId,
    /// Also the id of the initial attempt.
    pub event_id: EventId,
    pub profile_id: ProfileId,
    pub event_type: EventType,
    pub object_id: String,
    /// `None`: nothing was sent yet. `Some(false)`: tried, never accepted. `Some(true)`: ultimately delivered.
    pub is_delivered: Option<bool>,
    pub created_at: Timestamp,
}

impl StoredEvent {
    /// Where it goes.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint {
            merchant_id: self.merchant_id.clone(),
            profile_id: self.profile_id.clone(),
        }
    }
}

/// Which events, and which page of them. What is `None` or empty fits everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSearch {
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// Inclusive.
    pub created_before: Option<Timestamp>,
    pub object_id: Option<String>,
    /// Of the initial attempt.
    pub event_id: Option<String>,
    pub profile_id: Option<ProfileId>,
    /// Classes are resolved to types before.
    pub event_types: Vec<EventType>,
    /// The caller asked for types or classes that nothing here emits.
    pub nothing_fits: bool,
    /// `Some(false)` fits events that were never sent, too.
    pub is_delivered: Option<bool>,
    pub limit: i64,
    pub offset: i64,
}

/// One try as it is recorded, never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryAttempt {
    pub merchant_id: MerchantId,
    /// Of this try; of the initial one the event's own.
    pub event_id: EventId,
    pub initial_attempt_id: EventId,
    pub kind: DeliveryKind,
    pub exchange: Exchange,
    pub created_at: Timestamp,
}

/// A delivery that this server has claimed, until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub event: StoredEvent,
    /// Byte for byte what is sent.
    pub body: String,
    pub kind: DeliveryKind,
    /// Automatic retries of the present schedule so far, the one that is now due included.
    pub retries_done: u32,
    pub first_failed_at: Option<Timestamp>,
    /// Counts the claims: the holder of an older one has lost the delivery.
    pub fence: i64,
    /// Names the order that this is a delivery of: a replay gives a new one.
    pub queued_at: Timestamp,
    /// In wall time.
    pub lease_until: Timestamp,
}

/// What waits to be delivered, to endpoints that are not paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueState {
    /// Of each endpoint at most 10,001 are counted.
    pub waiting: i64,
    /// When the first of it is or was due; `None` where nothing waits.
    pub next_at: Option<Timestamp>,
}

/// What was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    pub events: u64,
    /// Of these the ones that were still to be delivered.
    pub undelivered: u64,
}

/// What an operator wants sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    pub merchant_id: MerchantId,
    pub profile_id: Option<ProfileId>,
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// Only events that were tried and never accepted. Otherwise all events, also those that were never to be sent.
    pub only_failed: bool,
}

/// Events, tries, and the queue of what is still to be delivered.
#[async_trait]
pub trait EventStore: Changes<EventChange> {
    /// One page, newest first.
    async fn events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<Vec<StoredEvent>, StoreFailure>;

    /// How many events fit the search, without its page.
    async fn count_events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<i64, StoreFailure>;

    /// The bodies of all events of an object. What they told of a customer who was redacted they tell no more.
    async fn event_bodies(
        &self,
        merchant_id: &MerchantId,
        object_id: &str,
    ) -> Result<Vec<(EventId, SecretText)>, StoreFailure>;

    /// The event of an initial attempt or of any retry, with its body, as [`EventStore::event_bodies`] answers it.
    async fn event(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<Option<(StoredEvent, String)>, StoreFailure>;

    /// The tries of an event that were made, newest first.
    async fn delivery_attempts(
        &self,
        merchant_id: &MerchantId,
        initial_attempt_id: &EventId,
    ) -> Result<Vec<DeliveryAttempt>, StoreFailure>;

    /// Records a try that an operator asked for, of an event that goes to this endpoint. One that was accepted ends the
    /// delivery, so that nothing more is sent by itself, and shows that the endpoint is healthy. Safe to repeat.
    async fn record_manual_try(
        &self,
        endpoint: &Endpoint,
        made: &DeliveryAttempt,
    ) -> Result<(), StoreFailure>;

    /// How many events a replay would send.
    async fn count_replay(&self, replay: &Replay) -> Result<i64, StoreFailure>;

    /// Queues the events of a replay that happened until `now`, due at once and with a fresh schedule; answers how
    /// many. Committed in portions.
    async fn queue_replay(&self, replay: &Replay, now: Timestamp) -> Result<u64, StoreFailure>;

    async fn endpoint_health(&self, endpoint: &Endpoint) -> Result<EndpointHealth, StoreFailure>;

    /// Ends a pause: the deliveries that waited become due.
    async fn resume_endpoint(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Puts off what is due for an endpoint: there is nowhere to send it to. Answers how much that was. Committed in
    /// portions.
    async fn postpone(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<u64, StoreFailure>;

    /// Makes due what waits for an endpoint. Committed in portions.
    async fn make_due(&self, endpoint: &Endpoint, now: Timestamp) -> Result<(), StoreFailure>;

    /// Endpoints that have something due, paused ones left out.
    async fn due_endpoints(
        &self,
        now: Timestamp,
        wall: Timestamp,
    ) -> Result<Vec<Endpoint>, StoreFailure>;

    /// Takes up to `limit` due deliveries of an endpoint, oldest first, until `lease_until` in wall time. A delivery
    /// waits for earlier ones of its object, unless those have been failing since before `blocked_since`.
    async fn claim(
        &self,
        endpoint: &Endpoint,
        limit: i64,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
        blocked_since: Timestamp,
    ) -> Result<Vec<Claimed>, StoreFailure>;

    /// Records the try, whether it delivered the event, and, while this server holds the delivery, what follows. A
    /// delivery that was accepted is over even where another server holds it by now. A delivery that a replay has
    /// queued since stays in any case. Answers whether anything followed. Safe to repeat where the outcome of the
    /// commit isn't known.
    async fn finish(
        &self,
        claimed: &Claimed,
        made: &DeliveryAttempt,
        after: AfterTry,
    ) -> Result<bool, StoreFailure>;

    /// Makes a lease that ends at `lease_until` end at `next`, in wall time; answers whether this server still held it.
    async fn prolong(
        &self,
        claimed: &Claimed,
        lease_until: Timestamp,
        next: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// Gives back a claimed delivery that wasn't sent, as it was, where this server still holds it.
    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure>;

    /// Pauses an endpoint until it is resumed, if it is still as unhealthy as it was read. Answers whether it is.
    async fn pause_endpoint(
        &self,
        endpoint: &Endpoint,
        seen: &EndpointHealth,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;

    async fn queue_state(&self) -> Result<QueueState, StoreFailure>;

    /// Deletes up to `at_most` events made before a time, with their tries, also what is still queued: an endpoint that is
    /// paused would gather without end.
    async fn purge_events(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<Purged, StoreFailure>;
}
