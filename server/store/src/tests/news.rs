//! Events and attempts for the tests. Payments are the shop's; time is counted in seconds since 1970.

use multirail_app::accounts::ports::profiles::{Endpoint, EndpointHealth};
use multirail_app::platform::ports::ChangeSetStore;
use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::EventRecord;
use multirail_app::webhooks::ports::events::{Claimed, DeliveryAttempt, StoredEvent};
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind, Exchange};
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use crate::fixture::TestStore;

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(seconds).expect("in range")
}

pub(super) fn shop() -> MerchantId {
    MerchantId::parse("bookshop").expect("an id")
}

pub(super) fn endpoint(profile_id: &str) -> Endpoint {
    Endpoint {
        merchant_id: shop(),
        profile_id: ProfileId::parse(profile_id).expect("an id"),
        endpoint_id: None,
    }
}

pub(super) fn event_id(text: &str) -> EventId {
    EventId::parse(text).expect("an id")
}

/// Returns an event of a payment, created and due at its sequence in seconds.
pub(super) fn news(id: &str, payment: &str, sequence: i64) -> EventRecord {
    EventRecord {
        event_id: event_id(id),
        merchant_id: shop(),
        profile_id: endpoint("pro_1").profile_id,
        event_type: EventType::PaymentSucceeded,
        object_id: payment.to_owned(),
        about_id: id.to_owned(),
        object_sequence: sequence,
        body: SecretText::new(format!("{{\"event_id\":\"{id}\"}}")),
        customer_id: None,
        deliver_at: Some(at(sequence)),
        endpoints: Vec::new(),
        created_at: at(sequence),
    }
}

/// Returns an attempt of a claimed delivery; `status` is the endpoint's answer.
pub(super) fn a_try(claimed: &Claimed, id: &str, status: u16, seconds: i64) -> DeliveryAttempt {
    DeliveryAttempt {
        merchant_id: shop(),
        event_id: event_id(id),
        initial_attempt_id: claimed.event.event_id.clone(),
        endpoint_id: claimed.event.endpoint_id.clone(),
        kind: claimed.kind,
        exchange: answered(status),
        created_at: at(seconds),
    }
}

pub(super) fn manual_try(event: &StoredEvent, id: &str, status: u16) -> DeliveryAttempt {
    DeliveryAttempt {
        merchant_id: shop(),
        event_id: event_id(id),
        initial_attempt_id: event.event_id.clone(),
        endpoint_id: event.endpoint_id.clone(),
        kind: DeliveryKind::ManualRetry,
        exchange: answered(status),
        created_at: at(1_000),
    }
}

fn answered(status: u16) -> Exchange {
    Exchange {
        request_headers: vec![("x-shop".to_owned(), "header-secret".to_owned())],
        status_code: Some(status),
        response_headers: Some(vec![("server".to_owned(), "shop".to_owned())]),
        response_body: Some("taken \u{e4}".to_owned()),
        error_message: None,
    }
}

impl TestStore {
    pub(super) async fn record(&self, events: impl IntoIterator<Item = EventRecord>) {
        let mut change_set = self.change_set(Timestamp::EPOCH, Vec::new());
        change_set.events = events.into_iter().collect();
        self.store.commit(change_set).await.expect("a commit");
    }

    /// Claims at a moment of both clocks, for 45 seconds; a failing delivery blocks others for ten minutes.
    pub(super) async fn claim(&self, endpoint: &Endpoint, seconds: i64) -> Vec<Claimed> {
        let now = at(seconds);
        let (lease_until, blocked_since) = (at(seconds + 45), at(seconds - 600));
        self.store
            .claim(endpoint, 16, now, now, lease_until, blocked_since)
            .await
            .expect("a claim")
    }

    pub(super) async fn finish(&self, claimed: &Claimed, made: DeliveryAttempt, after: AfterTry) {
        let ours = self.store.finish(claimed, &made, after).await;
        assert_eq!(ours, Ok(true));
    }

    pub(super) async fn is_delivered(&self, id: &str) -> Option<bool> {
        let found = self.store.event(&shop(), id).await.expect("a read");
        found.expect("an event").0.is_delivered
    }

    pub(super) async fn tries(&self, id: &str) -> Vec<DeliveryAttempt> {
        let tries = self.store.delivery_attempts(&shop(), &event_id(id)).await;
        tries.expect("a read")
    }

    pub(super) async fn health(&self, endpoint: &Endpoint) -> EndpointHealth {
        let health = self.store.endpoint_health(endpoint);
        health.await.expect("a read")
    }

    pub(super) async fn due(&self, seconds: i64) -> Vec<String> {
        let now = at(seconds);
        let due = self.store.due_endpoints(now, now).await.expect("a read");
        due.iter().map(|one| one.profile_id.to_string()).collect()
    }
}

pub(super) fn ids(claimed: &[Claimed]) -> Vec<&str> {
    let ids = claimed.iter().map(|one| one.event.event_id.as_str());
    ids.collect()
}
