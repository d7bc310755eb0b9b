//! The [`EventStore`] and its changes, whose SQL is in the files beside it.

use async_trait::async_trait;
use multirail_app::accounts::ports::profiles::{Endpoint, EndpointHealth};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::{
    Claimed, DeliveryAttempt, EndpointReplay, EventRecord, EventSearch, Purged, QueueState, Replay,
    StoredEvent,
};
use multirail_app::webhooks::ports::{EventChange, EventSequence, EventStore};
use multirail_domain::webhooks::webhook::AfterTry;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{EventId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use super::waiting::ClaimTerms;
use super::{deliveries, delivery_leases, endpoint_events, endpoints, events, replays, tries};
use crate::engine::Write;
use crate::platform::lower::{Lower, Lowering, Stored};
use crate::platform::sql_store::SqlStore;

#[async_trait]
impl EventSequence for SqlStore {
    async fn events_from(
        &self,
        merchant_id: &MerchantId,
        first: &EventId,
        at_most: i64,
    ) -> Result<Vec<StoredEvent>, StoreFailure> {
        events::from(&self.engine, merchant_id, first, at_most).await
    }
}

#[async_trait]
impl EventStore for SqlStore {
    async fn events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<Vec<StoredEvent>, StoreFailure> {
        events::search(&self.engine, merchant_id, search).await
    }

    async fn count_events(
        &self,
        merchant_id: &MerchantId,
        search: &EventSearch,
    ) -> Result<i64, StoreFailure> {
        events::count(&self.engine, merchant_id, search).await
    }

    async fn event_bodies(
        &self,
        merchant_id: &MerchantId,
        object_id: &str,
    ) -> Result<Vec<(EventId, SecretText)>, StoreFailure> {
        events::bodies(&self.engine, &self.keys, merchant_id, object_id).await
    }

    async fn event(
        &self,
        merchant_id: &MerchantId,
        event_id: &str,
    ) -> Result<Option<(StoredEvent, String)>, StoreFailure> {
        events::event(&self.engine, &self.keys, merchant_id, event_id).await
    }

    async fn delivery_attempts(
        &self,
        merchant_id: &MerchantId,
        initial_attempt_id: &EventId,
    ) -> Result<Vec<DeliveryAttempt>, StoreFailure> {
        tries::attempts(&self.engine, &self.keys, merchant_id, initial_attempt_id).await
    }

    async fn record_manual_try(
        &self,
        endpoint: &Endpoint,
        made: &DeliveryAttempt,
    ) -> Result<(), StoreFailure> {
        deliveries::record_manual_try(&self.engine, &self.keys, endpoint, made).await
    }

    async fn count_replay(&self, replay: &Replay) -> Result<i64, StoreFailure> {
        replays::count(&self.engine, replay).await
    }

    async fn queue_replay(&self, replay: &Replay, now: Timestamp) -> Result<u64, StoreFailure> {
        replays::queue(&self.engine, replay, now).await
    }

    async fn count_endpoint_replay(&self, replay: &EndpointReplay) -> Result<i64, StoreFailure> {
        replays::count_at_endpoint(&self.engine, replay).await
    }

    async fn queue_endpoint_replay(
        &self,
        replay: &EndpointReplay,
        now: Timestamp,
    ) -> Result<u64, StoreFailure> {
        replays::queue_at_endpoint(&self.engine, replay, now).await
    }

    async fn drop_endpoint(&self, endpoint: &Endpoint) -> Result<(), StoreFailure> {
        endpoints::drop_endpoint(&self.engine, endpoint).await
    }

    async fn endpoint_health(&self, endpoint: &Endpoint) -> Result<EndpointHealth, StoreFailure> {
        endpoints::health(&self.engine, endpoint).await
    }

    async fn resume_endpoint(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
    ) -> Result<(), StoreFailure> {
        endpoints::resume(&self.engine, endpoint, now).await
    }

    async fn postpone(
        &self,
        endpoint: &Endpoint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<u64, StoreFailure> {
        endpoints::postpone(&self.engine, endpoint, now, until).await
    }

    async fn make_due(&self, endpoint: &Endpoint, now: Timestamp) -> Result<(), StoreFailure> {
        endpoints::make_due(&self.engine, endpoint, now).await
    }

    async fn due_endpoints(
        &self,
        now: Timestamp,
        wall: Timestamp,
    ) -> Result<Vec<Endpoint>, StoreFailure> {
        deliveries::due_endpoints(&self.engine, now, wall).await
    }

    async fn claim(
        &self,
        endpoint: &Endpoint,
        limit: i64,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
        blocked_since: Timestamp,
    ) -> Result<Vec<Claimed>, StoreFailure> {
        let terms = ClaimTerms {
            limit,
            now,
            wall,
            lease_until,
            blocked_since,
        };
        deliveries::claim(&self.engine, &self.keys, endpoint, &terms).await
    }

    async fn finish(
        &self,
        claimed: &Claimed,
        made: &DeliveryAttempt,
        after: AfterTry,
    ) -> Result<bool, StoreFailure> {
        deliveries::finish(&self.engine, &self.keys, claimed, made, after).await
    }

    async fn prolong(
        &self,
        claimed: &Claimed,
        lease_until: Timestamp,
        next: Timestamp,
    ) -> Result<bool, StoreFailure> {
        delivery_leases::prolong(&self.engine, claimed, lease_until, next).await
    }

    async fn release(&self, claimed: &[Claimed]) -> Result<(), StoreFailure> {
        delivery_leases::release(&self.engine, claimed).await
    }

    async fn pause_endpoint(
        &self,
        endpoint: &Endpoint,
        seen: &EndpointHealth,
        now: Timestamp,
    ) -> Result<bool, StoreFailure> {
        endpoints::pause(&self.engine, endpoint, seen, now).await
    }

    async fn queue_state(&self) -> Result<QueueState, StoreFailure> {
        deliveries::state(&self.engine).await
    }

    async fn purge_events(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<Purged, StoreFailure> {
        events::purge(&self.engine, made_before, at_most).await
    }
}

impl Lower for EventRecord {
    fn lower(&self, with: &Lowering<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(events::record(self, with.keys)?);
        // Only if a webhook announces the event.
        if let Some(at) = self.deliver_at {
            writes.push(deliveries::queue(self, &self.endpoint(), at));
        }
        for endpoint_id in &self.endpoints {
            let further = self.at(Some(endpoint_id.clone()));
            writes.push(deliveries::queue(self, &further, self.created_at));
            writes.push(endpoint_events::insert(self, endpoint_id));
        }
        Ok(())
    }
}

impl Change for Stored<EventChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        let EventChange::Rewrite {
            merchant_id,
            event_id,
            body,
        } = &self.0;
        writes.push(events::rewrite(merchant_id, event_id, body, with.sealing));
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        let EventChange::Rewrite { merchant_id, .. } = &self.0;
        SealedFor::Merchant(merchant_id)
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}
