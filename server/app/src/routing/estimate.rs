//! Replays the newest payments of a profile under a configuration. Nothing is stored, and no processor is called.

use multirail_domain::routing::{Estimate, RoutingInput, estimate};
use multirail_kernel::ids::{MerchantId, ProfileId};

use super::super::AppError;
use super::{EvaluateBy, Routing};

/// The request, translated.
#[derive(Debug)]
pub struct EstimateRouting {
    pub profile_id: Option<ProfileId>,
    pub by: EvaluateBy,
    /// The most payments to read. The contract has the bound.
    pub limit: u32,
}

/// The counted effect of the configuration on the payments of a profile.
#[derive(Debug)]
pub struct Estimation {
    pub profile_id: ProfileId,
    pub estimate: Estimate,
}

impl Routing {
    /// Counts the accounts that the newest payments of a profile would try first.
    ///
    /// # Errors
    /// An unknown profile or configuration, a choice that names no account of the profile.
    pub async fn estimate(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        request: EstimateRouting,
    ) -> Result<Estimation, AppError> {
        let profile_id = self.addressed_profile(merchant_id, scope, request.profile_id);
        let profile_id = profile_id.await?;
        let profile = self
            .profiles
            .stored(merchant_id, &profile_id, scope)
            .await?;
        let routes = self.routes_of(merchant_id, &profile).await?;
        let active = self.evaluated(&profile, scope, request.by, &routes);
        let active = active.await?;
        let dynamic = self.dynamic_of(&profile_id, &profile).await?;
        let limit = request.limit;
        let past = self.past.past_payments(merchant_id, &profile_id, limit);
        let drawn = past.await?.into_iter().map(|payment| {
            let mut draw = [0; 4];
            self.base.random.fill(&mut draw);
            (payment, u32::from_le_bytes(draw))
        });
        let drawn: Vec<_> = drawn.collect();
        let input = RoutingInput {
            candidates: &routes.candidates,
            active: active.as_deref(),
            dynamic: dynamic.as_ref(),
            connectors: &[],
            draw: routes.draw,
        };
        let estimate = estimate(&drawn, self.strategy, input);
        Ok(Estimation {
            profile_id,
            estimate,
        })
    }
}
