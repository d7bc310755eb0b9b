//! Recorded events.

use async_trait::async_trait;
use multirail_domain::ids::{EventId, MerchantId, ProfileId};
use multirail_domain::timestamp::Timestamp;
use multirail_domain::webhook::AfterTry;

use super::SqlStore;
use crate::ports::events::{
    Claimed, DeliveryTry, Endpoint, EndpointHealth, EventSearch, Replay, StoredEvent,
};
use crate::ports::{EventStore, StoreFailure};

fn not_yet<T>() -> Result<T, StoreFailure> {
    Err(StoreFailure::Broken("events are not read yet".to_owned()))
}

#[async_trait]
impl EventStore for SqlStore {
    async fn events(
        &self,
        _: &MerchantId,
        _: &EventSearch,
    ) -> Result<Vec<StoredEvent>, StoreFailure> {
        not_yet()
    }

    async fn count_events(&self, _: &MerchantId, _: &EventSearch) -> Result<i64, StoreFailure> {
        not_yet()
    }

    async fn event(
        &self,
        _: &MerchantId,
        _: &str,
    ) -> Result<Option<(StoredEvent, String)>, StoreFailure> {
        not_yet()
    }

    async fn delivery_attempts(
        &self,
        _: &MerchantId,
        _: &EventId,
    ) -> Result<Vec<DeliveryTry>, StoreFailure> {
        not_yet()
    }

    async fn record_manual_try(&self, _: &DeliveryTry) -> Result<(), StoreFailure> {
        not_yet()
    }

    async fn count_replay(&self, _: &Replay) -> Result<i64, StoreFailure> {
        not_yet()
    }

    async fn queue_replay(&self, _: &Replay, _: Timestamp) -> Result<u64, StoreFailure> {
        not_yet()
    }

    async fn endpoint_health(
        &self,
        _: &MerchantId,
        _: &ProfileId,
    ) -> Result<EndpointHealth, StoreFailure> {
        not_yet()
    }

    async fn resume_endpoint(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: Timestamp,
    ) -> Result<(), StoreFailure> {
        not_yet()
    }

    async fn due_endpoints(
        &self,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Vec<Endpoint>, StoreFailure> {
        not_yet()
    }

    async fn claim(
        &self,
        _: &Endpoint,
        _: i64,
        _: Timestamp,
        _: Timestamp,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Vec<Claimed>, StoreFailure> {
        not_yet()
    }

    async fn finish(
        &self,
        _: &Claimed,
        _: &DeliveryTry,
        _: AfterTry,
    ) -> Result<bool, StoreFailure> {
        not_yet()
    }

    async fn drop_delivery(&self, _: &Claimed) -> Result<(), StoreFailure> {
        not_yet()
    }

    async fn pause_endpoint(&self, _: &Endpoint, _: Timestamp) -> Result<(), StoreFailure> {
        not_yet()
    }

    async fn forget_events(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        not_yet()
    }
}
