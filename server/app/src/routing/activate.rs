//! Activates and deactivates configurations.

use std::sync::Arc;

use multirail_domain::accounts::profile::Profile;
use multirail_domain::routing::{RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::{AppError, Origin};
use super::Routing;
use crate::accounts::ports::ProfileChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};

impl Routing {
    /// Activates a configuration for the payments of its profile, in place of the previous one.
    ///
    /// # Errors
    /// An unknown configuration, one that is active already or for something else than `wanted`.
    pub async fn activate(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        routing_id: &RoutingId,
        wanted: Option<TransactionType>,
    ) -> Result<Arc<RoutingRecord>, AppError> {
        let record = self.find(merchant_id, scope, routing_id).await?;
        let decide = |profile: &Profile| {
            let changed = profile.activate(&record, wanted, self.base.now())?;
            Ok((changed, record.routing_id.clone()))
        };
        self.change(origin, merchant_id, scope, &record.profile_id, decide)
            .await
    }

    /// Deactivates the active configuration and returns it.
    ///
    /// # Errors
    /// An unknown profile, one where none is active.
    pub async fn deactivate(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        of: TransactionType,
    ) -> Result<Arc<RoutingRecord>, AppError> {
        let decide = |profile: &Profile| {
            let changed = profile.deactivate(of, self.base.now())?;
            let before = profile.routing().active(of).cloned();
            // A profile that can be deactivated has an active configuration.
            let before = before.ok_or(Refusal::busy(Object::BusinessProfile))?;
            Ok((changed, before))
        };
        self.change(origin, merchant_id, scope, profile_id, decide)
            .await
    }

    /// Decides and stores; decides again where the profile changed meanwhile. Returns the configuration that `decide`
    /// names.
    async fn change(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        decide: impl Fn(&Profile) -> Result<(Profile, RoutingId), Refusal>,
    ) -> Result<Arc<RoutingRecord>, AppError> {
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
            let (changed, concerned) = decide(&profile)?;
            let record = self.stored(merchant_id, &concerned).await?;
            let for_key = ForKey::Whole {
                object_id: record.routing_id.as_str(),
                made: Made::object(&*record, None),
            };
            let changes = vec![self.profiles.store.change(ProfileChange::Update(changed))];
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(record),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
