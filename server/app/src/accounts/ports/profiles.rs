//! Stored business profiles.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::accounts::profile::Profile;
use multirail_kernel::announcement::AnnouncedStatus;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::event_record::{WishStore, Wishes};
use crate::platform::ports::failure::StoreFailure;

pub use crate::platform::ports::event_record::Endpoint;

/// The health of an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// The time since which the endpoint accepted nothing; `None` while deliveries succeed.
    pub failing_since: Option<Timestamp>,
    /// The number of failed tries since then.
    pub failures: i64,
    pub paused_at: Option<Timestamp>,
}

/// Endpoints of profiles, as webhook delivery sees them.
#[async_trait]
pub trait Endpoints: Send + Sync {
    async fn health(&self, endpoint: &Endpoint) -> Result<EndpointHealth, StoreFailure>;

    /// Ends a pause: waiting deliveries become due.
    async fn resume(&self, endpoint: &Endpoint, now: Timestamp) -> Result<(), StoreFailure>;

    /// Makes waiting deliveries of an endpoint due, and wakes the worker.
    async fn make_due(&self, endpoint: Endpoint, now: Timestamp) -> Result<(), StoreFailure>;
}

/// A change of a profile.
#[derive(Debug)]
pub enum ProfileChange {
    Insert(Profile),
    Update(Profile),
}

#[async_trait]
pub trait ProfileStore: Changes<ProfileChange> {
    async fn profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<Profile>>, StoreFailure>;

    /// Lists the profiles, oldest first.
    async fn profiles(&self, merchant_id: &MerchantId) -> Result<Vec<Profile>, StoreFailure>;
}

impl Wishes for Profile {
    fn wants(&self, status: AnnouncedStatus) -> bool {
        let settings = self.webhook.as_ref();
        settings.is_some_and(|settings| settings.wants(status))
    }

    fn endpoints(&self, event_type: EventType) -> Vec<WebhookEndpointId> {
        let endpoints = self.webhook_endpoints.iter();
        let wanting = endpoints.filter(|endpoint| endpoint.wants(event_type));
        wanting
            .map(|endpoint| endpoint.endpoint_id.clone())
            .collect()
    }
}

#[async_trait]
impl<T: ProfileStore + ?Sized> WishStore for T {
    async fn wishes(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<dyn Wishes>>, StoreFailure> {
        let profile = self.profile(merchant_id, profile_id).await?;
        Ok(profile.map(|profile| profile as Arc<dyn Wishes>))
    }
}
