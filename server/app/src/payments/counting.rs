//! Counts processors' answers for dynamic routing, in the commits that record them.

use std::sync::Arc;

use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::observed::{Observed, observed};
use multirail_domain::routing::elimination::EliminationConfig;
use multirail_domain::routing::params::parameters;
use multirail_domain::routing::success_based::SuccessBasedConfig;
use multirail_domain::routing::{DynamicAlgorithm, DynamicKind};

use super::super::AppError;
use super::Payments;
use crate::platform::ports::Change;
use crate::routing::ports::dynamic_routing::Counted;
use crate::routing::ports::{DynamicRoutingChange, DynamicRoutingStore};

/// The counters of a profile's payments; empty where the profile counts nothing.
#[derive(Default)]
pub(crate) struct Counting {
    /// The store that makes the changes.
    store: Option<Arc<dyn DynamicRoutingStore>>,
    elimination: Option<EliminationConfig>,
    success_based: Option<SuccessBasedConfig>,
}

impl Counting {
    /// Returns the counts that a payment's change adds to its commit. Counts only once.
    pub(crate) fn take(&mut self, before: &Payment, after: &Payment) -> Vec<Change> {
        let (elimination, success_based) = (self.elimination.take(), self.success_based.take());
        let Some(store) = self.store.take() else {
            return Vec::new();
        };
        let mut changes: Vec<Change> = Vec::new();
        for one in observed(before, after) {
            if let Some(config) = &elimination {
                let parameters = parameters(&config.params, &after.facts_of(one.attempt));
                let counted = Box::new(counted(after, &one, parameters, config.clone()));
                let count = DynamicRoutingChange::CountForElimination(counted);
                changes.push(store.change(count));
            }
            if let Some(config) = &success_based {
                let parameters = parameters(&config.params, &after.facts_of(one.attempt));
                let counted = Box::new(counted(after, &one, parameters, config.clone()));
                let count = DynamicRoutingChange::CountForSuccessRates(counted);
                changes.push(store.change(count));
            }
        }
        changes
    }
}

fn counted<C>(payment: &Payment, one: &Observed<'_>, parameters: String, config: C) -> Counted<C> {
    Counted {
        merchant_id: payment.merchant_id.clone(),
        profile_id: payment.profile_id.clone(),
        config,
        parameters,
        account: one.account.clone(),
        key: one.key.clone(),
        fault: one.fault,
        is_approved: one.is_approved,
        at: payment.modified_at,
    }
}

impl Payments {
    /// Returns the counters of a profile's payments.
    pub(in super::super) async fn counting(&self, profile: &Profile) -> Result<Counting, AppError> {
        let algorithm = async |kind| -> Result<Option<DynamicAlgorithm>, AppError> {
            let known = profile.routing().dynamic(kind);
            let Some(known) = known.filter(|known| known.feature.counts()) else {
                return Ok(None);
            };
            let of = &profile.merchant_id;
            let record = self.routing.stored(of, &known.routing_id).await?;
            Ok(record.dynamic().cloned())
        };
        let elimination = algorithm(DynamicKind::Elimination).await?;
        let success_based = algorithm(DynamicKind::SuccessBased).await?;
        if elimination.is_none() && success_based.is_none() {
            return Ok(Counting::default());
        }
        Ok(Counting {
            store: Some(Arc::clone(&self.counted)),
            elimination: elimination.and_then(|algorithm| algorithm.elimination),
            success_based: success_based.and_then(|algorithm| algorithm.success_based),
        })
    }
}
