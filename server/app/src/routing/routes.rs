//! The routes that the payments of a profile can take.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::routing::{RoutingRecord, TransactionType};
use multirail_kernel::ids::MerchantId;

use super::super::AppError;
use super::Routing;

/// The accounts and the configuration for routing.
pub(crate) struct Routes {
    /// The accounts, in the profile's order of last resort.
    pub candidates: Vec<Candidate>,
    /// The profile's active configuration.
    pub active: Option<Arc<RoutingRecord>>,
    /// The profile's active rules for 3-D Secure.
    pub three_ds: Option<Arc<RoutingRecord>>,
    /// The random number for a volume split.
    pub draw: u32,
}

impl Routing {
    /// Reads the accounts and the configuration for routing in a profile. They are in memory: no statement runs, unless
    /// one of them is new to this server.
    pub(crate) async fn routes_of(
        &self,
        merchant_id: &MerchantId,
        profile: &Profile,
    ) -> Result<Routes, AppError> {
        let profile_id = Some(&profile.profile_id);
        let mut candidates = self.accounts.able(merchant_id, profile_id).await?;
        let routing = profile.routing();
        let of = TransactionType::Payment;
        candidates.sort_by_cached_key(|candidate| {
            let account = &candidate.account;
            routing.rank(of, &account.merchant_connector_id, account.enabled_since())
        });
        let active = async |of| match routing.active(of) {
            None => Ok(None),
            Some(id) => self.stored(merchant_id, id).await.map(Some),
        };
        let rules = active(TransactionType::ThreeDsAuthentication);
        let (three_ds, active) = (rules.await?, active(of).await?);
        let mut draw = [0; 4];
        self.base.random.fill(&mut draw);
        Ok(Routes {
            candidates,
            active,
            three_ds,
            draw: u32::from_le_bytes(draw),
        })
    }
}
