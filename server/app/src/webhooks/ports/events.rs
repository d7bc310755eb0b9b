//! Stored events and their delivery. Every look-up names its merchant. The delivery queue is processed by endpoint.

use async_trait::async_trait;
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind, Exchange};
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::accounts::ports::profiles::EndpointHealth;
use crate::platform::ports::failure::StoreFailure;

pub use crate::platform::ports::event_record::{Endpoint, EventRecord};

/// A change of stored events.
#[derive(Debug)]
pub enum EventChange {
    /// Replaces the body of an event, because its customer was redacted.
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
    /// The further endpoint that this copy is for; `None` for the profile's own address.
    pub endpoint_id: Option<WebhookEndpointId>,
    /// Delivered to that endpoint: `None` before the first attempt, `Some(false)` while no attempt was accepted,
    /// `Some(true)` once it is delivered.
    pub is_delivered: Option<bool>,
    pub created_at: Timestamp,
}

impl StoredEvent {
    /// Returns the endpoint to deliver to.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint {
            merchant_id: self.merchant_id.clone(),
            profile_id: self.profile_id.clone(),
            endpoint_id: self.endpoint_id.clone(),
        }
    }
}

/// The filter for a list of events, and the page. A `None` or empty member matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventSearch {
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// Inclusive.
    pub created_before: Option<Timestamp>,
    pub object_id: Option<String>,
    /// The id of the initial attempt.
    pub event_id: Option<String>,
    pub profile_id: Option<ProfileId>,
    /// The event types; classes are resolved to types before.
    pub event_types: Vec<EventType>,
    /// True if the caller asked only for types or classes that are never emitted.
    pub nothing_fits: bool,
    /// `Some(false)` also matches events that were never sent.
    pub is_delivered: Option<bool>,
    /// The events that were queued for this endpoint. The result and `is_delivered` are about it.
    pub endpoint_id: Option<WebhookEndpointId>,
    pub limit: i64,
    pub offset: i64,
}

/// A recorded delivery attempt, which never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryAttempt {
    pub merchant_id: MerchantId,
    /// The id of this attempt. For the initial one it is the event's own.
    pub event_id: EventId,
    pub initial_attempt_id: EventId,
    /// The further endpoint that was tried; `None` for the profile's own address.
    pub endpoint_id: Option<WebhookEndpointId>,
    pub kind: DeliveryKind,
    pub exchange: Exchange,
    pub created_at: Timestamp,
}

/// A delivery that this server has claimed, until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub event: StoredEvent,
    /// The body, byte for byte as it is sent.
    pub body: String,
    pub kind: DeliveryKind,
    /// The automatic retries of the current schedule, with the one that is due now.
    pub retries_done: u32,
    pub first_failed_at: Option<Timestamp>,
    /// The number of claims. The holder of an older claim has lost the delivery.
    pub fence: i64,
    /// The time of the delivery order. A replay makes a new one.
    pub queued_at: Timestamp,
    /// The end of the lease, in wall time.
    pub lease_until: Timestamp,
}

/// The deliveries that wait for endpoints that are not paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueState {
    /// The number of waiting deliveries. At most 10,001 of each endpoint are counted.
    pub waiting: i64,
    /// The due time of the first one; `None` where none waits.
    pub next_at: Option<Timestamp>,
}

/// The numbers of deleted rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    pub events: u64,
    /// The number of deleted events that were still to be delivered.
    pub undelivered: u64,
}

/// The filter of a replay by an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    pub merchant_id: MerchantId,
    pub profile_id: Option<ProfileId>,
    /// Inclusive.
    pub created_after: Option<Timestamp>,
    /// True to replay only events that were tried and never accepted. Otherwise all events match, even those that
    /// were never to be sent.
    pub only_failed: bool,
}

/// Events in the order in which they were made.
#[async_trait]
pub trait EventSequence: Send + Sync {
    /// Returns up to `at_most` events from this id on, in the order of their ids.
    async fn events_from(
        &self,
        merchant_id: &MerchantId,
        first: &EventId,
        at_most: i64,
    ) -> Result<Vec<StoredEvent>, StoreFailure>;
}

/// The filter of a replay to one further endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointReplay {
    pub endpoint: Endpoint,
    /// Words of event types; all if it is empty.
    pub event_types: Vec<String>,
    /// Inclusive.
    pub created_after: Timestamp,
    /// Inclusive.
    pub created_before: Timestamp,
    /// True to replay only events that were tried there and never accepted.
    pub only_failed: bool,
}

/// Events, delivery attempts, and the delivery queue.
#[async_trait]
pub trait EventStore: Changes<EventChange> {
    /// Returns one page, newest first.
    async fn events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<Vec<StoredEvent>, StoreFailure>;

    /// Counts the events that match the search, without its page.
    async fn count_events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<i64, StoreFailure>;

    /// Returns the bodies of all events of an object. Bodies with data of a redacted customer have lost that data.
    async fn event_bodies(
        &self,
        merchant_id: &MerchantId,
        object_id: &str,
    ) -> Result<Vec<(EventId, SecretText)>, StoreFailure>;

    /// Returns the event of an initial attempt or of any retry, with its body, as [`EventStore::event_bodies`] returns
    /// it.
    async fn event(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<Option<(StoredEvent, String)>, StoreFailure>;

    /// Returns the attempts of an event that were made, newest first.
    async fn delivery_attempts(
        &self,
        merchant_id: &MerchantId,
        initial_attempt_id: &EventId,
    ) -> Result<Vec<DeliveryAttempt>, StoreFailure>;

    /// Records a manual retry of an event of this endpoint. An accepted one ends the delivery, so that no automatic
    /// retry follows, and shows that the endpoint is healthy. Safe to repeat.
    async fn record_manual_try(
        &self,
        endpoint: &Endpoint,
        made: &DeliveryAttempt,
    ) -> Result<(), StoreFailure>;

    /// Counts the events that a replay would send.
    async fn count_replay(&self, replay: &Replay) -> Result<i64, StoreFailure>;

    /// Queues the events of a replay that happened until `now`, due at once and with a fresh schedule; returns their
    /// number. Commits in portions.
    async fn queue_replay(&self, replay: &Replay, now: Timestamp) -> Result<u64, StoreFailure>;

    /// Counts the events that a replay to an endpoint would send.
    async fn count_endpoint_replay(&self, replay: &EndpointReplay) -> Result<i64, StoreFailure>;

    /// As [`EventStore::queue_replay`], for one further endpoint.
    async fn queue_endpoint_replay(
        &self,
        replay: &EndpointReplay,
        now: Timestamp,
    ) -> Result<u64, StoreFailure>;

    /// Deletes the waiting deliveries and the health of an endpoint that was deleted. Commits in portions.
    async fn drop_endpoint(&self, endpoint: &Endpoint) -> Result<(), StoreFailure>;

    async fn endpoint_health(&self, endpoint: &Endpoint) -> Result<EndpointHealth, StoreFailure>;

    /// Ends a pause: waiting deliveries become due.
    async fn resume_endpoint(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Postpones the due deliveries of an endpoint without an address; returns their number. Commits in portions.
    async fn postpone(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<u64, StoreFailure>;

    /// Makes the waiting deliveries of an endpoint due. Commits in portions.
    async fn make_due(&self, endpoint: &Endpoint, now: Timestamp) -> Result<(), StoreFailure>;

    /// Returns the endpoints with due deliveries, without paused ones.
    async fn due_endpoints(
        &self,
        now: Timestamp,
        wall: Timestamp,
    ) -> Result<Vec<Endpoint>, StoreFailure>;

    /// Claims up to `limit` due deliveries of an endpoint, oldest first, until `lease_until` in wall time. A delivery
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

    /// Records the attempt and whether it delivered the event. While this server holds the delivery, also stores the
    /// next step.
    ///
    /// An accepted delivery is over even where another server holds it. A delivery that a replay has queued since stays
    /// in any case. Returns whether a next step was stored. Safe to repeat where the outcome of the commit is unknown.
    async fn finish(
        &self,
        claimed: &Claimed,
        made: &DeliveryAttempt,
        after: AfterTry,
    ) -> Result<bool, StoreFailure>;

    /// Moves the end of a lease from `lease_until` to `next`, in wall time; returns whether this server still held it.
    async fn prolong(
        &self,
        claimed: &Claimed,
        lease_until: Timestamp,
        next: Timestamp,
    ) -> Result<bool, StoreFailure>;

    /// Releases claimed deliveries that weren't sent, unchanged, where this server still holds them.
    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure>;

    /// Pauses an endpoint until it is resumed, if its health is unchanged since it was read. Returns whether it paused.
    async fn pause_endpoint(
        &self,
        endpoint: &Endpoint,
        seen: &EndpointHealth,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;

    async fn queue_state(&self) -> Result<QueueState, StoreFailure>;

    /// Deletes up to `at_most` events made before a time, with their attempts and queued deliveries: a paused endpoint
    /// would otherwise collect them without end.
    async fn purge_events(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<Purged, StoreFailure>;
}
