//! Elimination: its configurations, what it does in a profile, and what it knows when a payment is routed. (Specification 4.5)

use std::sync::Arc;

use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::ids::{MerchantId, ProfileId, RoutingId};
use multirail_domain::payment::Payment;
use multirail_domain::profile::Profile;
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::routing::elimination::{
    Elimination, EliminationConfig, EliminationFeature, EliminationInput,
};
use multirail_domain::routing::{
    Algorithm, DynamicAlgorithm, NewRouting, RoutingRecord, TransactionType,
};

use super::super::driver::Decisions;
use super::super::idempotency::{ForKey, Made};
use super::super::{App, AppError, Origin};
use crate::ports::{Change, ProfileChange, RoutingChange};

/// How configurations of elimination are called.
const NAME: &str = "Elimination based dynamic routing algorithm";

impl App {
    /// Stores a configuration; with `enable` the profile goes by it from then on.
    ///
    /// # Errors
    /// An unknown profile, a number out of its bounds, `none` where elimination does nothing already.
    pub async fn create_elimination(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        input: EliminationInput,
        enable: Option<EliminationFeature>,
    ) -> Result<RoutingRecord, AppError> {
        let config = EliminationConfig::default().with(input)?;
        let record = self.elimination_record(merchant_id, profile_id, config)?;
        let mut decisions = Decisions::begin();
        loop {
            let profile = self.stored_profile(merchant_id, profile_id, scope).await?;
            let changed = profile.with_new_elimination(&record.routing_id, enable, self.now())?;
            match self
                .store_elimination(origin, Some(&record), &record, changed)
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => decisions.retry_on_conflict(error, AppError::of_commit)?,
            }
        }
    }

    /// Says what elimination does in a profile. Where there is no configuration for it, one with what holds where nobody says
    /// anything is made.
    ///
    /// # Errors
    /// An unknown profile, what elimination does already.
    pub async fn toggle_elimination(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        enable: EliminationFeature,
    ) -> Result<RoutingRecord, AppError> {
        let config = EliminationConfig::default();
        let made = self.elimination_record(merchant_id, profile_id, config)?;
        let mut decisions = Decisions::begin();
        loop {
            let profile = self.stored_profile(merchant_id, profile_id, scope).await?;
            let (new, record) = match &profile.routing().elimination {
                Some(known) => {
                    let stored = self.stored_routing(merchant_id, &known.routing_id).await?;
                    (None, Arc::unwrap_or_clone(stored))
                }
                None => (Some(&made), made.clone()),
            };
            let id = &record.routing_id;
            let changed = profile.with_elimination_switched(id, enable, self.now())?;
            match self
                .store_elimination(origin, new, &record, Some(changed))
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => decisions.retry_on_conflict(error, AppError::of_commit)?,
            }
        }
    }

    /// Stores a configuration that takes another one's place, with what the caller says.
    ///
    /// # Errors
    /// An unknown profile or configuration, one of another kind, a number out of its bounds.
    pub async fn update_elimination(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: &ProfileId,
        routing_id: &RoutingId,
        input: EliminationInput,
    ) -> Result<RoutingRecord, AppError> {
        // What is out of bounds is so whatever the configuration before says.
        EliminationConfig::default().with(input.clone())?;
        self.stored_profile(merchant_id, profile_id, scope).await?;
        let before = self
            .retrieve_routing(merchant_id, scope, routing_id)
            .await?;
        let config = before
            .elimination()
            .filter(|_| before.profile_id == *profile_id)
            .ok_or_else(|| Refusal::not_found(Object::RoutingConfiguration))?;
        let record = self.elimination_record(merchant_id, profile_id, config.with(input)?)?;
        let mut decisions = Decisions::begin();
        loop {
            let profile = self.stored_profile(merchant_id, profile_id, scope).await?;
            let changed =
                profile.with_elimination_replaced(routing_id, &record.routing_id, self.now());
            match self
                .store_elimination(origin, Some(&record), &record, changed)
                .await
            {
                Ok(()) => return Ok(record),
                Err(error) => decisions.retry_on_conflict(error, AppError::of_commit)?,
            }
        }
    }

    /// What is counted by in a profile; nothing where elimination does nothing there.
    pub(in super::super) async fn elimination_config(
        &self,
        profile: &Profile,
    ) -> Result<Option<EliminationConfig>, AppError> {
        let Some(known) = &profile.routing().elimination else {
            return Ok(None);
        };
        match known.feature {
            EliminationFeature::None => Ok(None),
            EliminationFeature::Metrics | EliminationFeature::DynamicConnectorSelection => {
                let of = &profile.merchant_id;
                let record = self.stored_routing(of, &known.routing_id).await?;
                Ok(record.elimination().cloned())
            }
        }
    }

    /// Which accounts a payment of the profile is to try last. One read, where accounts are to be moved at all.
    pub(in super::super) async fn elimination_of(
        &self,
        payment: &Payment,
        profile: &Profile,
    ) -> Result<Option<Elimination>, AppError> {
        let known = profile.routing().elimination.as_ref();
        let moves = |feature| match feature {
            EliminationFeature::DynamicConnectorSelection => true,
            EliminationFeature::Metrics | EliminationFeature::None => false,
        };
        if !known.is_some_and(|known| moves(known.feature)) {
            return Ok(None);
        }
        let Some(config) = self.elimination_config(profile).await? else {
            return Ok(None);
        };
        let (merchant_id, profile_id) = (&payment.merchant_id, &payment.profile_id);
        let full = self
            .store
            .full_buckets(merchant_id, profile_id, &config, self.now());
        let full = full.await?;
        Ok(Some(Elimination { config, full }))
    }

    fn elimination_record(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: EliminationConfig,
    ) -> Result<RoutingRecord, Refusal> {
        let new = NewRouting {
            name: NAME.to_owned(),
            description: String::new(),
            algorithm: Algorithm::Dynamic(Box::new(DynamicAlgorithm {
                elimination: Some(config),
                ..DynamicAlgorithm::default()
            })),
            transaction_type: Some(TransactionType::Payment),
        };
        RoutingRecord::create::<ConnectorAccount>(
            new,
            merchant_id.clone(),
            profile_id.clone(),
            &[],
            self.now(),
            self.random.as_ref(),
        )
    }

    async fn store_elimination(
        &self,
        origin: &Origin,
        new: Option<&RoutingRecord>,
        answered: &RoutingRecord,
        profile: Option<Profile>,
    ) -> Result<(), crate::ports::CommitError> {
        let for_key = ForKey::Whole {
            object_id: answered.routing_id.as_str(),
            made: Made::Routing(answered),
        };
        let mut changes: Vec<Change> = Vec::new();
        changes.extend(new.map(|record| RoutingChange::Insert(Box::new(record.clone())).into()));
        changes.extend(profile.map(|profile| ProfileChange::Update(profile).into()));
        let merchant_id = &answered.merchant_id;
        let change_set = self.change_set(origin, Some(merchant_id), for_key, changes);
        self.store.commit(change_set).await
    }
}
