//! One attempt to deliver an event, for the worker and for an operator's manual retry.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use multirail_domain::accounts::profile::{Profile, ProfileSecrets};
use multirail_domain::webhooks::webhook::signature::signature_headers;
use multirail_domain::webhooks::webhook::{
    AfterTry, DeliveryKind, Exchange, Jitter, RetrySchedule, after_try, is_to_be_paused,
};
use multirail_kernel::ids::{EventId, WebhookEndpointId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::notifier::DeliveryNotifier;
use crate::accounts::ports::ProfileStore;
use crate::accounts::ports::profiles::{Endpoint, EndpointHealth, Endpoints};
use crate::platform::base::Base;
use crate::platform::lease::Leased;
use crate::platform::lease::renewal::renewing;
use crate::platform::ports::event_record::DeliveryQueue;
use crate::platform::ports::{StoreFailure, metric};
use crate::webhooks::ports::events::{Claimed, DeliveryAttempt, StoredEvent};
use crate::webhooks::ports::{EventStore, WebhookRequest, WebhookSender};

/// The number of tries to store the outcome of an attempt while the store is unavailable. After them the lease ends,
/// and the event is sent again.
const FINISHES: u32 = 4;
const BETWEEN_FINISHES: Duration = Duration::from_millis(250);

/// The delay of deliveries for a profile without an address. A new address makes them due at once, except those that
/// another server delays before it sees the address.
const WITHOUT_ADDRESS_SECONDS: i64 = 600;

/// The operator's settings for deliveries.
#[derive(Clone, Debug)]
pub struct DeliveryTerms {
    /// The limit for one whole exchange.
    pub timeout: Duration,
    pub retry_schedule: RetrySchedule,
    pub retry_jitter: Jitter,
    /// The number of simultaneous deliveries.
    pub concurrency: usize,
    /// The number of simultaneous deliveries to one endpoint.
    pub endpoint_concurrency: usize,
    /// Seconds for which a failing delivery blocks later ones of its object.
    pub order_patience_seconds: i64,
    /// Seconds without success after which an endpoint is paused; 0 means never.
    pub pause_after_seconds: i64,
    /// The lifetime of events, in seconds.
    pub retention_seconds: i64,
}

/// The outcome of a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Delivered,
    /// The delivery failed: it is retried later, or was given up.
    Failed,
    /// The delivery was released, because the profile has no address.
    Released,
}

/// Returns the request for an event; `None` where its endpoint has no address or is disabled. The body and the signatures
/// of only the body are the same in every attempt.
pub fn prepare(
    profile: &Profile,
    event: &StoredEvent,
    body: &str,
    now: Timestamp,
    wall: Timestamp,
) -> Option<WebhookRequest> {
    let url = profile.delivery_address(event.endpoint_id.as_ref())?;
    let id = &event.event_id;
    Some(match &event.endpoint_id {
        None => signed(url, &profile.secrets, id, body, now, wall),
        Some(endpoint) => {
            let secrets = profile.endpoint_secrets(endpoint);
            signed(url, &secrets, id, body, now, wall)
        }
    })
}

/// Returns a request that is signed with these secrets and has their custom headers.
pub(super) fn signed(
    url: &str,
    secrets: &ProfileSecrets,
    event_id: &EventId,
    body: &str,
    now: Timestamp,
    wall: Timestamp,
) -> WebhookRequest {
    let signatures = signature_headers(secrets, event_id, body.as_bytes(), now, wall);
    let custom = secrets.custom_headers.iter();
    let headers = signatures
        .into_iter()
        .map(|(name, value)| (name.to_owned(), SecretText::new(value)))
        .chain(custom.map(|header| (header.name.clone(), header.value.clone())));
    WebhookRequest {
        url: url.to_owned(),
        headers: headers.collect(),
        body: body.to_owned(),
    }
}

/// Delivers events to the endpoints of profiles.
pub struct Deliveries {
    pub base: Arc<Base>,
    pub store: Arc<dyn EventStore>,
    pub profiles: Arc<dyn ProfileStore>,
    pub sender: Arc<dyn WebhookSender>,
    /// Wakes the delivery worker.
    pub notifier: DeliveryNotifier,
    pub terms: DeliveryTerms,
}

impl DeliveryQueue for Deliveries {
    fn notify(&self, endpoint: Endpoint) {
        self.notifier.notify(endpoint);
    }
}

#[async_trait]
impl Endpoints for Deliveries {
    async fn health(&self, endpoint: &Endpoint) -> Result<EndpointHealth, StoreFailure> {
        self.store.endpoint_health(endpoint).await
    }

    async fn resume(&self, endpoint: &Endpoint, now: Timestamp) -> Result<(), StoreFailure> {
        self.store.resume_endpoint(endpoint, now).await
    }

    async fn make_due(&self, endpoint: Endpoint, now: Timestamp) -> Result<(), StoreFailure> {
        self.store.make_due(&endpoint, now).await?;
        self.notifier.notify(endpoint);
        Ok(())
    }
}

impl Deliveries {
    /// Makes one attempt now, without recording it. Returns `None` where the profile has no address.
    ///
    /// # Errors
    /// A store that fails: nothing was sent then.
    pub(crate) async fn attempt(
        &self,
        event: &StoredEvent,
        body: &str,
        event_id: EventId,
        kind: DeliveryKind,
    ) -> Result<Option<DeliveryAttempt>, StoreFailure> {
        let profile = self.profiles.profile(&event.merchant_id, &event.profile_id);
        let profile = profile.await?;
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let request = profile.and_then(|profile| prepare(&profile, event, body, now, wall));
        let Some(request) = request else {
            return Ok(None);
        };
        let started = Instant::now();
        let exchange = self.sender.send(request).await;
        metrics::histogram!(metric::WEBHOOK_SECONDS, "result" => word(&exchange))
            .record(started.elapsed().as_secs_f64());
        Ok(Some(DeliveryAttempt {
            merchant_id: event.merchant_id.clone(),
            event_id,
            initial_attempt_id: event.event_id.clone(),
            endpoint_id: event.endpoint_id.clone(),
            kind,
            exchange,
            created_at: now,
        }))
    }

    /// Returns the endpoints with due deliveries.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn due_endpoints(&self) -> Result<Vec<Endpoint>, StoreFailure> {
        self.store
            .due_endpoints(self.base.now(), self.base.clock.wall())
            .await
    }

    /// Claims up to `limit` due deliveries of an endpoint. Where it has no address or is disabled, postpones all due
    /// deliveries instead, so that none is lost before an address is set again. Deletes those of a deleted endpoint.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(
        &self,
        endpoint: &Endpoint,
        limit: usize,
    ) -> Result<Vec<Claimed>, StoreFailure> {
        let terms = &self.terms;
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let (merchant_id, profile_id) = (&endpoint.merchant_id, &endpoint.profile_id);
        let profile = self.profiles.profile(merchant_id, profile_id).await?;
        let endpoint_id = endpoint.endpoint_id.as_ref();
        let address = profile
            .as_deref()
            .and_then(|profile| profile.delivery_address(endpoint_id));
        if address.is_none() {
            if let (Some(profile), Some(id)) = (&profile, endpoint_id)
                && profile.webhook_endpoint(id).is_err()
            {
                self.forget_deleted(endpoint, id).await?;
                return Ok(Vec::new());
            }
            let until = now.plus_seconds(WITHOUT_ADDRESS_SECONDS).unwrap_or(now);
            let waiting = self.store.postpone(endpoint, now, until).await?;
            if waiting > 0 {
                tracing::warn!(
                    %merchant_id, %profile_id, ?endpoint_id, waiting,
                    "webhooks wait: their endpoint has no address any more or is disabled"
                );
            }
            return Ok(Vec::new());
        }
        let lease_until = self.base.leases.until(Leased::Delivery, wall);
        let patience = -terms.order_patience_seconds;
        let blocked_since = now.plus_seconds(patience).unwrap_or(Timestamp::EPOCH);
        let limit = limit as i64;
        self.store
            .claim(endpoint, limit, now, wall, lease_until, blocked_since)
            .await
    }

    /// Deletes what a commit queued while its endpoint was deleted. The cached profile may be older than the endpoint, so
    /// the stored one decides.
    async fn forget_deleted(
        &self,
        endpoint: &Endpoint,
        id: &WebhookEndpointId,
    ) -> Result<(), StoreFailure> {
        let stored = self.profiles.profiles(&endpoint.merchant_id).await?;
        let mut stored = stored.iter();
        let profile = stored.find(|profile| profile.profile_id == endpoint.profile_id);
        if profile.is_some_and(|profile| profile.webhook_endpoint(id).is_ok()) {
            return Ok(());
        }
        self.store.drop_endpoint(endpoint).await
    }

    /// Makes the attempt of a claimed delivery, and records it with the next step.
    ///
    /// # Errors
    /// A store that fails. The delivery is due again when its lease ends.
    pub async fn deliver(&self, claimed: Claimed) -> Result<DeliveryOutcome, StoreFailure> {
        let (event, kind) = (&claimed.event, claimed.kind);
        // The event's id stands for the first attempt at the profile's own address.
        let event_id = match (claimed.kind, &event.endpoint_id) {
            (DeliveryKind::InitialAttempt, None) => event.event_id.clone(),
            (DeliveryKind::InitialAttempt, Some(_))
            | (DeliveryKind::AutomaticRetry | DeliveryKind::ManualRetry, _) => self.base.event_id(),
        };
        let made = self.attempt(event, &claimed.body, event_id, claimed.kind);
        let (made, lease_until) = self.holding(&claimed, made).await;
        let claimed = Claimed {
            lease_until,
            ..claimed
        };
        let event = &claimed.event;
        let Some(made) = made? else {
            // The address was removed just now. The next claim sees that, and postpones all deliveries.
            self.store.release(&[claimed]).await?;
            count(kind, "released");
            return Ok(DeliveryOutcome::Released);
        };
        let terms = &self.terms;
        let after = after_try(
            &terms.retry_schedule,
            claimed.retries_done,
            &made.exchange,
            made.exchange.retry_after(self.base.clock.wall()),
            made.created_at,
            terms.retry_jitter,
            self.base.random.as_ref(),
        );
        if !self.finish(&claimed, &made, after).await? {
            // Our lease ended and another server has claimed the delivery; that server decides about it.
            count(claimed.kind, "lease_lost");
        }
        match after {
            AfterTry::Delivered => {
                count(claimed.kind, "delivered");
                Ok(DeliveryOutcome::Delivered)
            }
            AfterTry::RetryAt(_) | AfterTry::GaveUp => {
                let is_over = after == AfterTry::GaveUp;
                count(claimed.kind, if is_over { "given_up" } else { "failed" });
                self.pause_if_dead(event, &made.exchange).await?;
                Ok(DeliveryOutcome::Failed)
            }
        }
    }

    /// Does `work`, and renews the lease meanwhile. Returns the outcome and the lease's end.
    async fn holding<T>(&self, claimed: &Claimed, work: impl Future<Output = T>) -> (T, Timestamp) {
        let leases = self.base.leases;
        let Some(every) = leases.renew_every(Leased::Delivery) else {
            return (work.await, claimed.lease_until);
        };
        let renew = |lease_until| async move {
            let next = leases.until(Leased::Delivery, self.base.clock.wall());
            let kept = self.store.prolong(claimed, lease_until, next).await?;
            Ok(kept.then_some(next))
        };
        renewing(every, claimed.lease_until, work, renew).await
    }

    async fn finish(
        &self,
        claimed: &Claimed,
        made: &DeliveryAttempt,
        after: AfterTry,
    ) -> Result<bool, StoreFailure> {
        patiently(|| self.store.finish(claimed, made, after)).await
    }

    async fn pause_if_dead(
        &self,
        event: &StoredEvent,
        exchange: &Exchange,
    ) -> Result<(), StoreFailure> {
        let endpoint = event.endpoint();
        let health = self.store.endpoint_health(&endpoint).await?;
        let now = self.base.now();
        let pause_after = self.terms.pause_after_seconds;
        let (since, failures) = (health.failing_since, health.failures);
        if health.paused_at.is_some()
            || !is_to_be_paused(exchange, since, failures, now, pause_after)
        {
            return Ok(());
        }
        if !self.store.pause_endpoint(&endpoint, &health, now).await? {
            return Ok(());
        }
        let failing_since = since.map(|since| since.to_string()).unwrap_or_default();
        tracing::warn!(
            merchant_id = %endpoint.merchant_id, profile_id = %endpoint.profile_id,
            endpoint_id = ?endpoint.endpoint_id, failing_since, failures,
            "webhooks to this endpoint are paused: it accepted none for too long, or answered that it is gone; resume it when it works again"
        );
        Ok(())
    }
}

/// Stores the outcome of an attempt. The attempt was made, so a brief failure of the store must not lose it.
pub(crate) async fn patiently<T, F>(mut finish: impl FnMut() -> F) -> Result<T, StoreFailure>
where
    F: Future<Output = Result<T, StoreFailure>>,
{
    let mut left = FINISHES;
    loop {
        left -= 1;
        match finish().await {
            Err(StoreFailure::Unavailable(_)) if left > 0 => {
                tokio::time::sleep(BETWEEN_FINISHES).await;
            }
            finished => return finished,
        }
    }
}

fn count(kind: DeliveryKind, result: &'static str) {
    metrics::counter!(metric::WEBHOOKS, "kind" => kind.as_str(), "result" => result).increment(1);
}

fn word(exchange: &Exchange) -> &'static str {
    match exchange.status_code {
        Some(_) if exchange.is_delivered() => "delivered",
        Some(_) => "refused",
        None => "unanswered",
    }
}

#[cfg(test)]
mod tests;
