//! Finds the account that a payment would go to. Nothing is stored, and no processor is called.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::routing::{
    Algorithm, NewRouting, RoutingInput, RoutingRecord, RoutingTrace, ThreeDsDecided,
    TransactionType, TrialRequest,
};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::AppError;
use super::{Routes, Routing};

/// The request, translated.
#[derive(Debug)]
pub struct EvaluateRouting {
    pub profile_id: Option<ProfileId>,
    pub by: EvaluateBy,
    pub trial: TrialRequest,
}

/// The configuration to evaluate.
#[derive(Debug)]
pub enum EvaluateBy {
    /// The active configuration.
    Active,
    Stored(RoutingId),
    /// A configuration that isn't stored.
    Given(Algorithm),
}

/// The account that the payment would go to, and the reason.
#[derive(Debug)]
pub struct Evaluation {
    pub profile_id: ProfileId,
    /// The accounts that could take it, in the order of attempts, each with the name of its connector.
    pub eligible: Vec<(String, ConnectorAccountId)>,
    pub trace: RoutingTrace,
    /// The decision of rules for 3-D Secure.
    pub three_ds: Option<ThreeDsDecided>,
}

impl Routing {
    /// Evaluates a hypothetical payment.
    ///
    /// # Errors
    /// An invalid payment, an unknown profile or configuration, a choice that names no account of the profile.
    pub async fn evaluate(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        request: EvaluateRouting,
    ) -> Result<Evaluation, AppError> {
        let mut trial = (self.trials)(request.trial, self.base.now())?;
        let profile_id = self.addressed_profile(merchant_id, scope, request.profile_id);
        let profile_id = profile_id.await?;
        let profile = self
            .profiles
            .stored(merchant_id, &profile_id, scope)
            .await?;
        let routes = self.routes_of(merchant_id, &profile).await?;
        let is_given = matches!(request.by, EvaluateBy::Given(_));
        let active = self.evaluated(&profile, scope, request.by, &routes);
        let active = active.await?;
        trial.decide_three_ds(routes.three_ds.as_deref(), self.strategy);
        let dynamic = self.dynamic_of(&profile_id, &profile).await?;
        let input = RoutingInput {
            candidates: &routes.candidates,
            active: active.as_deref(),
            dynamic: dynamic.as_ref(),
            connectors: &[],
            draw: trial.draw().unwrap_or(routes.draw),
        };
        let routed = self
            .strategy
            .consider(&trial.facts(), trial.instrument(), input);
        let eligible = routed.eligible.iter().map(|candidate| {
            let account = &candidate.account;
            (
                account.connector_name.clone(),
                account.merchant_connector_id.clone(),
            )
        });
        let eligible = eligible.collect();
        let mut trace = routed.trace;
        if is_given {
            trace.routing_id = None;
        }
        Ok(Evaluation {
            profile_id,
            eligible,
            trace,
            three_ds: trial.three_ds().cloned(),
        })
    }

    /// Returns the configuration to evaluate for payments of this profile.
    ///
    /// # Errors
    /// An unknown configuration, one of another profile or for other transactions, a choice that names no account of the
    /// profile.
    pub(super) async fn evaluated(
        &self,
        profile: &Profile,
        scope: Option<&ProfileId>,
        by: EvaluateBy,
        routes: &Routes,
    ) -> Result<Option<Arc<RoutingRecord>>, AppError> {
        let (merchant_id, profile_id) = (&profile.merchant_id, &profile.profile_id);
        match by {
            EvaluateBy::Active => Ok(routes.active.clone()),
            EvaluateBy::Stored(id) => {
                let record = self.find(merchant_id, scope, &id).await?;
                if record.profile_id != *profile_id
                    || record.transaction_type != TransactionType::Payment
                {
                    return Err(Refusal::not_found(Object::RoutingConfiguration).into());
                }
                Ok(Some(record))
            }
            EvaluateBy::Given(algorithm) => {
                let candidates = routes.candidates.iter();
                let accounts: Vec<Arc<ConnectorAccount>> = candidates
                    .map(|candidate| Arc::clone(&candidate.account))
                    .collect();
                let new = NewRouting {
                    name: "not stored".to_owned(),
                    description: String::new(),
                    algorithm,
                    transaction_type: Some(TransactionType::Payment),
                };
                let (now, random) = (self.base.now(), self.base.random.as_ref());
                let of = (merchant_id.clone(), profile_id.clone());
                let record = RoutingRecord::create(new, of.0, of.1, &accounts, now, random)?;
                Ok(Some(Arc::new(record)))
            }
        }
    }
}
