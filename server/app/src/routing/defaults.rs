//! The order of last resort: the accounts of a profile that are tried where no configuration decides.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::routing::{Choice, TransactionType};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::{AppError, Origin};
use super::Routing;
use crate::accounts::ports::ProfileChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};

/// A profile's accounts in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultRouting {
    pub profile_id: ProfileId,
    /// The accounts, each with the name of its connector.
    pub accounts: Vec<(String, ConnectorAccountId)>,
}

impl DefaultRouting {
    fn new(profile: &Profile, accounts: &[Arc<ConnectorAccount>], of: TransactionType) -> Self {
        let order = profile.fallback(of, accounts).into_iter();
        let named = |account: &ConnectorAccount| {
            let id = account.merchant_connector_id.clone();
            (account.connector_name.clone(), id)
        };
        DefaultRouting {
            profile_id: profile.profile_id.clone(),
            accounts: order.map(named).collect(),
        }
    }
}

impl Routing {
    /// Returns the order of the profile that the call is narrowed to, else of the merchant's default profile.
    ///
    /// # Errors
    /// A merchant without a default profile.
    pub async fn default_order(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        of: TransactionType,
    ) -> Result<DefaultRouting, AppError> {
        let profile_id = self.addressed_profile(merchant_id, scope, None).await?;
        let profile = self
            .profiles
            .stored(merchant_id, &profile_id, scope)
            .await?;
        let accounts = self
            .accounts
            .store
            .connector_accounts(merchant_id, Some(&profile_id));
        Ok(DefaultRouting::new(&profile, &accounts.await?, of))
    }

    /// Returns the orders of all profiles, oldest profile first.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn default_orders(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        of: TransactionType,
    ) -> Result<Vec<DefaultRouting>, AppError> {
        let mut profiles = self.profiles.store.profiles(merchant_id).await?;
        profiles.retain(|profile| scope.is_none_or(|only| *only == profile.profile_id));
        let accounts = self
            .accounts
            .store
            .connector_accounts(merchant_id, None)
            .await?;
        let profiles = profiles.iter();
        Ok(profiles
            .map(|profile| DefaultRouting::new(profile, &accounts, of))
            .collect())
    }

    /// Changes the order of the named profile, else of the profile of [`Routing::default_order`].
    ///
    /// # Errors
    /// An unknown profile; a list that doesn't have exactly the profile's accounts.
    pub async fn reorder(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: Option<ProfileId>,
        of: TransactionType,
        wanted: &[Choice],
    ) -> Result<DefaultRouting, AppError> {
        let profile_id = self.addressed_profile(merchant_id, scope, profile_id);
        let profile_id = profile_id.await?;
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self
                .profiles
                .stored(merchant_id, &profile_id, scope)
                .await?;
            let accounts = self
                .accounts
                .store
                .connector_accounts(merchant_id, Some(&profile_id));
            let accounts = accounts.await?;
            let changed = profile.reorder(of, wanted, &accounts, self.base.now())?;
            let made = DefaultRouting::new(&changed, &accounts, of);
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

    /// Returns the profile that the request names, else that of the call, else the merchant's default profile.
    ///
    /// # Errors
    /// A merchant without a default profile.
    pub(super) async fn addressed_profile(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        named: Option<ProfileId>,
    ) -> Result<ProfileId, AppError> {
        if let Some(profile_id) = named.or_else(|| scope.cloned()) {
            return Ok(profile_id);
        }
        let merchant = self.merchants.find(merchant_id).await?;
        let default = merchant.default_profile.clone();
        default.ok_or_else(|| Refusal::missing("X-Profile-Id").into())
    }
}
