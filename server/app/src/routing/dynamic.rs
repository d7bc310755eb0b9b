//! Dynamic routing: its configurations, its use in a profile, and its data for a payment. (Specification 4.5)

use std::sync::Arc;

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::routing::elimination::{EliminationConfig, Standing};
use multirail_domain::routing::{
    Algorithm, Dynamic, DynamicAlgorithm, DynamicFeature, DynamicInput, DynamicKind, Elimination,
    NewRouting, ProfileDynamic, RoutingRecord, SuccessRates, TransactionType,
};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use super::super::{AppError, Origin};
use super::Routing;
use crate::accounts::ports::ProfileChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::{Change, CommitError};
use crate::routing::ports::RoutingChange;

/// Returns the name of configurations of a kind.
fn name(kind: DynamicKind) -> &'static str {
    match kind {
        DynamicKind::Elimination => "Elimination based dynamic routing algorithm",
        DynamicKind::SuccessBased => "Success rate based dynamic routing algorithm",
    }
}

/// The share of payments of a profile that dynamic routing decides.
#[derive(Debug)]
pub struct RoutingSplit {
    pub profile_id: ProfileId,
    /// The share in percent.
    pub split: u8,
}

/// The dynamic routing of a profile.
#[derive(Debug)]
pub struct DynamicRouting {
    pub split: RoutingSplit,
    /// The profile's configuration of each kind.
    pub elimination: Option<EliminationStanding>,
    pub success_based: Option<ProfileDynamic>,
}

/// The elimination of a profile, and its counts.
#[derive(Debug)]
pub struct EliminationStanding {
    pub known: ProfileDynamic,
    pub config: EliminationConfig,
    pub standing: Standing,
    pub now: Timestamp,
}

impl Routing {
    /// Reads the dynamic routing of a profile, and the counts of elimination.
    ///
    /// # Errors
    /// An unknown profile.
    pub async fn dynamic(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
    ) -> Result<DynamicRouting, AppError> {
        let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
        let routing = profile.routing();
        let elimination = match routing.dynamic(DynamicKind::Elimination) {
            None => None,
            Some(known) => {
                let record = self.stored(merchant_id, &known.routing_id).await?;
                let config = record.dynamic().and_then(|own| own.elimination.clone());
                match config {
                    None => None,
                    Some(config) => {
                        let now = self.base.now();
                        let store = &self.learned;
                        let standing =
                            store.elimination_standing(merchant_id, profile_id, &config, now);
                        Some(EliminationStanding {
                            known: known.clone(),
                            standing: standing.await?,
                            config,
                            now,
                        })
                    }
                }
            }
        };
        Ok(DynamicRouting {
            split: RoutingSplit {
                profile_id: profile_id.clone(),
                split: routing.dynamic_split(),
            },
            elimination,
            success_based: routing.dynamic(DynamicKind::SuccessBased).cloned(),
        })
    }

    /// Stores a configuration; with `enable` the profile uses it at once.
    ///
    /// # Errors
    /// An unknown profile, a number out of bounds, `none` where the kind is already off.
    pub async fn create_dynamic(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        input: DynamicInput,
        enable: Option<DynamicFeature>,
    ) -> Result<RoutingRecord, AppError> {
        let kind = input.kind();
        let algorithm = DynamicAlgorithm::usual(kind).with(input)?;
        let record = self.dynamic_record(merchant_id, profile_id, kind, algorithm)?;
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
            let id = &record.routing_id;
            let changed = profile.with_new_dynamic(kind, id, enable, self.base.now())?;
            match self
                .store_dynamic(origin, Some(&record), &record, changed)
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Sets the use of a kind in a profile. Creates a configuration with default values where there is none.
    ///
    /// # Errors
    /// An unknown profile, a use that is set already.
    pub async fn toggle_dynamic(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        kind: DynamicKind,
        enable: DynamicFeature,
    ) -> Result<RoutingRecord, AppError> {
        let usual = DynamicAlgorithm::usual(kind);
        let made = self.dynamic_record(merchant_id, profile_id, kind, usual)?;
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
            let (new, record) = match profile.routing().dynamic(kind) {
                Some(known) => {
                    let stored = self.stored(merchant_id, &known.routing_id).await?;
                    (None, Arc::unwrap_or_clone(stored))
                }
                None => (Some(&made), made.clone()),
            };
            let id = &record.routing_id;
            let changed = profile.with_dynamic_switched(kind, id, enable, self.base.now())?;
            match self
                .store_dynamic(origin, new, &record, Some(changed))
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Stores a configuration that replaces another one, with the caller's changes.
    ///
    /// # Errors
    /// An unknown profile or configuration, one of another kind, a number out of bounds.
    pub async fn update_dynamic(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        routing_id: &RoutingId,
        input: DynamicInput,
    ) -> Result<RoutingRecord, AppError> {
        let kind = input.kind();
        // A value out of bounds is refused whatever the previous configuration.
        input.check()?;
        self.profiles.stored(merchant_id, profile_id, scope).await?;
        let before = self.find(merchant_id, scope, routing_id).await?;
        let of_kind = |algorithm: &&DynamicAlgorithm| algorithm.kind() == Some(kind);
        let algorithm = before.dynamic().filter(of_kind);
        let algorithm = algorithm
            .filter(|_| before.profile_id == *profile_id)
            .ok_or_else(|| Refusal::not_found(Object::RoutingConfiguration))?;
        let algorithm = algorithm.with(input)?;
        let record = self.dynamic_record(merchant_id, profile_id, kind, algorithm)?;
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
            let new = &record.routing_id;
            let changed = profile.with_dynamic_replaced(kind, routing_id, new, self.base.now());
            match self
                .store_dynamic(origin, Some(&record), &record, changed)
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Sets the share of a profile's payments that dynamic routing decides, in percent.
    ///
    /// # Errors
    /// An unknown profile, a share above 100.
    pub async fn split_dynamic(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        split: u64,
    ) -> Result<RoutingSplit, AppError> {
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
            let changed = profile.with_dynamic_split(split, self.base.now())?;
            let made = RoutingSplit {
                profile_id: profile_id.clone(),
                split: changed.routing().dynamic_split(),
            };
            let for_key = ForKey::Whole {
                object_id: profile_id.as_str(),
                made: Made::object(&made, None),
            };
            let changes = vec![self.profiles.store.change(ProfileChange::Update(changed))];
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(made),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the data about the accounts for a payment of the profile, with one read for each kind that orders
    /// accounts. Reads nothing and returns `None` where no kind does, or the share is 0.
    pub(crate) async fn dynamic_of(
        &self,
        profile_id: &ProfileId,
        profile: &Profile,
    ) -> Result<Option<Dynamic>, AppError> {
        let routing = profile.routing();
        let mut kinds = DynamicKind::ALL.iter();
        let selects = |kind: &DynamicKind| {
            let known = routing.dynamic(*kind);
            known.is_some_and(|known| known.feature.selects())
        };
        if routing.dynamic_split() == 0 || !kinds.any(selects) {
            return Ok(None);
        }
        // Boxed, because most profiles have none.
        let known = Box::pin(self.known_of(profile_id, profile));
        Ok(Some(known.await?))
    }

    async fn known_of(
        &self,
        profile_id: &ProfileId,
        profile: &Profile,
    ) -> Result<Dynamic, AppError> {
        let (of, now) = (&profile.merchant_id, self.base.now());
        let mut dynamic = Dynamic {
            split: profile.routing().dynamic_split(),
            success_rates: None,
            elimination: None,
        };
        for kind in DynamicKind::ALL {
            let known = profile.routing().dynamic(*kind);
            let Some(known) = known.filter(|known| known.feature.selects()) else {
                continue;
            };
            let record = self.stored(of, &known.routing_id).await?;
            let Some(algorithm) = record.dynamic() else {
                continue;
            };
            if let Some(config) = algorithm.elimination.clone() {
                let full = self.learned.full_buckets(of, profile_id, &config, now);
                let full = full.await?;
                dynamic.elimination = Some(Elimination { config, full });
            }
            if let Some(config) = algorithm.success_based.clone() {
                let counted = self.learned.success_counts(of, profile_id, &config, now);
                let counted = counted.await?;
                let routing_id = record.routing_id.clone();
                dynamic.success_rates = Some(SuccessRates {
                    routing_id,
                    config,
                    counted,
                });
            }
        }
        Ok(dynamic)
    }

    fn dynamic_record(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        kind: DynamicKind,
        algorithm: DynamicAlgorithm,
    ) -> Result<RoutingRecord, Refusal> {
        let new = NewRouting {
            name: name(kind).to_owned(),
            description: String::new(),
            algorithm: Algorithm::Dynamic(Box::new(algorithm)),
            transaction_type: Some(TransactionType::Payment),
        };
        RoutingRecord::create::<ConnectorAccount>(
            new,
            merchant_id.clone(),
            profile_id.clone(),
            &[],
            self.base.now(),
            self.base.random.as_ref(),
        )
    }

    async fn store_dynamic(
        &self,
        origin: &Origin,
        new: Option<&RoutingRecord>,
        answered: &RoutingRecord,
        profile: Option<Profile>,
    ) -> Result<(), CommitError> {
        let for_key = ForKey::Whole {
            object_id: answered.routing_id.as_str(),
            made: Made::object(answered, None),
        };
        let mut changes: Vec<Change> = Vec::new();
        if let Some(record) = new {
            let insert = RoutingChange::Insert(Box::new(record.clone()));
            changes.push(self.store.change(insert));
        }
        changes.extend(
            profile.map(|profile| self.profiles.store.change(ProfileChange::Update(profile))),
        );
        let merchant_id = &answered.merchant_id;
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), for_key, changes);
        self.base.commit(change_set).await
    }
}
