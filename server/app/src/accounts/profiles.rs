//! Business profiles. `scope` is the one profile that a call is narrowed to. Such a call doesn't see other profiles.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::{ConnectorAccount, check_vault_form};
use multirail_domain::accounts::merchant::{MerchantAccount, MerchantAccountUpdate};
use multirail_domain::accounts::profile::{NewProfile, Profile, ProfileInput, ProfileUpdate};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::connector::ConnectorType;

use super::merchant_accounts::Merchants;
use super::profile_choice;
use super::profile_view::ProfileView;
use crate::accounts::ports::profiles::{Endpoint, EndpointHealth, Endpoints};
use crate::accounts::ports::{ConnectorAccountStore, MerchantChange, ProfileChange, ProfileStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::{CommitError, StoreFailure};
use crate::{AppError, Origin};

/// The use cases of business profiles.
pub struct Profiles {
    pub base: Arc<Base>,
    pub store: Arc<dyn ProfileStore>,
    pub merchants: Arc<Merchants>,
    pub accounts: Arc<dyn ConnectorAccountStore>,
    pub endpoints: Arc<dyn Endpoints>,
}

impl Profiles {
    /// Adds a profile. The merchant's first one becomes the default.
    ///
    /// # Errors
    /// An unknown merchant account, a name that is taken, invalid members.
    pub async fn create(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        input: NewProfile,
    ) -> Result<ProfileView, AppError> {
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let merchant = self.merchants.find(merchant_id).await?;
            self.merchants.check_target(input.webhook.as_ref())?;
            input.check_environment(self.base.environment)?;
            self.check_named_accounts(merchant_id, &input).await?;
            let now = self.base.now();
            let profile =
                Profile::create(input.clone(), &merchant, now, self.base.random.as_ref())?;
            let mut changes = vec![self.store.change(ProfileChange::Insert(profile.clone()))];
            if merchant.default_profile.is_none() {
                let with_default = make_default(&merchant, &profile)?;
                changes.push(
                    self.merchants
                        .store
                        .change(MerchantChange::Update(with_default)),
                );
            }
            // A new profile has no deliveries yet.
            let view = ProfileView {
                profile,
                delivery: EndpointHealth::default(),
            };
            let for_key = ForKey::Whole {
                object_id: view.profile.profile_id.as_str(),
                made: Made::object(&view, None),
            };
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(view),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, |error| {
                            name_taken(&view.profile, error)
                        })
                        .await?
                }
            }
        }
    }

    /// Lists the merchant's profiles, oldest first.
    ///
    /// # Errors
    /// An unknown merchant account.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
    ) -> Result<Vec<ProfileView>, AppError> {
        self.merchants.find(merchant_id).await?;
        let mut profiles = self.store.profiles(merchant_id).await?;
        profiles.retain(|profile| is_in(scope, &profile.profile_id));
        let mut views = Vec::with_capacity(profiles.len());
        for profile in profiles {
            views.push(self.view(profile).await?);
        }
        Ok(views)
    }

    /// Returns one profile.
    ///
    /// # Errors
    /// An unknown merchant account or profile.
    pub async fn find(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
    ) -> Result<ProfileView, AppError> {
        let profile = self.stored(merchant_id, profile_id, scope).await?;
        Ok(self.view(Arc::unwrap_or_clone(profile)).await?)
    }

    /// As [`Profiles::find`], but returns the stored profile itself.
    pub async fn stored(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
    ) -> Result<Arc<Profile>, AppError> {
        self.merchants.find(merchant_id).await?;
        self.store
            .profile(merchant_id, profile_id)
            .await?
            .filter(|profile| is_in(scope, &profile.profile_id))
            .ok_or_else(|| Refusal::not_found(Object::BusinessProfile).into())
    }

    /// Returns the profile of a checkout that a shop's page opens with the merchant's publishable key: the named one, else
    /// the merchant's default or only one.
    ///
    /// # Errors
    /// An unknown key, a profile that isn't the merchant's, and profiles of which none is the default.
    pub async fn of_checkout(
        &self,
        publishable_key: &str,
        named: Option<&ProfileId>,
    ) -> Result<Arc<Profile>, AppError> {
        let merchants = &self.merchants.store;
        let merchant = merchants.merchant_by_publishable_key(publishable_key);
        let unknown = Refusal::not_found(Object::MerchantAccount);
        let merchant = merchant.await?.ok_or(unknown)?;
        profile_choice::chosen(self.store.as_ref(), &merchant, named, None).await
    }

    /// Changes the members that are given.
    ///
    /// # Errors
    /// As for [`Profiles::create`], and an unknown profile.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
        update: ProfileUpdate,
    ) -> Result<ProfileView, AppError> {
        self.check_named_accounts(merchant_id, &update).await?;
        let environment = self.base.environment;
        let decide = |profile: &Profile| {
            self.merchants.check_target(update.webhook.as_ref())?;
            update.check_environment(environment)?;
            profile.update(update.clone(), self.base.now())
        };
        self.change(origin, merchant_id, profile_id, scope, decide)
            .await
    }

    /// Makes a new webhook secret. The previous one stays valid for the given number of seconds.
    ///
    /// # Errors
    /// A time out of range, an unknown merchant account or profile.
    pub async fn rotate_webhook_secret(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
        previous_valid_for_seconds: i64,
    ) -> Result<ProfileView, AppError> {
        let decide = |profile: &Profile| {
            let random = self.base.random.as_ref();
            profile.rotate_webhook_secret(self.base.now(), random, previous_valid_for_seconds)
        };
        self.change(origin, merchant_id, profile_id, scope, decide)
            .await
    }

    /// Resumes the paused deliveries of a profile.
    ///
    /// # Errors
    /// An unknown merchant account or profile.
    pub async fn resume_delivery(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
    ) -> Result<ProfileView, AppError> {
        let profile = self.stored(merchant_id, profile_id, scope).await?;
        // A repeated resume has no further effect, so nothing is lost where only the answer isn't stored.
        self.endpoints
            .resume(&endpoint(&profile), self.base.now())
            .await?;
        let view = self.view(Arc::unwrap_or_clone(profile)).await?;
        let for_key = ForKey::Whole {
            object_id: profile_id.as_str(),
            made: Made::object(&view, None),
        };
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), for_key, Vec::new());
        if !change_set.is_empty() {
            let stored = self.base.commit(change_set).await;
            stored.map_err(AppError::of_commit)?;
        }
        Ok(view)
    }

    /// Decides and stores; decides again where the profile changed meanwhile.
    async fn change(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
        decide: impl Fn(&Profile) -> Result<Profile, Refusal>,
    ) -> Result<ProfileView, AppError> {
        let mut decisions = Decisions::begin(Object::BusinessProfile);
        loop {
            let profile = self.stored(merchant_id, profile_id, scope).await?;
            let changed = decide(&profile)?;
            let mut view = self.view(changed.clone()).await?;
            let new_url = changed.webhook_url();
            let is_elsewhere = new_url.is_some() && new_url != profile.webhook_url();
            if is_elsewhere {
                view.delivery = EndpointHealth::default();
            }
            let changes = vec![self.store.change(ProfileChange::Update(changed))];
            let for_key = ForKey::Whole {
                object_id: profile_id.as_str(),
                made: Made::object(&view, None),
            };
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => {
                    if is_elsewhere {
                        self.deliver_what_waited(endpoint(&view.profile)).await;
                    }
                    return Ok(view);
                }
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, |error| {
                            name_taken(&view.profile, error)
                        })
                        .await?
                }
            }
        }
    }

    /// Checks that the vault and billing accounts that a profile names belong to the merchant and serve that purpose.
    async fn check_named_accounts(
        &self,
        merchant_id: &MerchantId,
        input: &ProfileInput,
    ) -> Result<(), AppError> {
        if let Some((id, form)) = &input.external_vault.connector {
            let vault = ConnectorType::VaultProcessor;
            let account = self.named_account(merchant_id, id, vault).await?;
            if let Some(form) = form {
                check_vault_form(&account, form)?;
            }
        }
        if let Some(id) = &input.billing_processor_id {
            let billing = ConnectorType::BillingProcessor;
            self.named_account(merchant_id, id, billing).await?;
        }
        Ok(())
    }

    async fn named_account(
        &self,
        merchant_id: &MerchantId,
        id: &ConnectorAccountId,
        wanted: ConnectorType,
    ) -> Result<Arc<ConnectorAccount>, AppError> {
        let found = self.accounts.connector_account(merchant_id, id).await?;
        let found = found.filter(|account| account.connector_type == wanted);
        found.ok_or_else(|| Refusal::not_found(Object::ConnectorAccount).into())
    }

    /// Makes deliveries due that waited while the endpoint had no address, failed or was disabled. Where that fails, they
    /// become due a little later.
    pub(crate) async fn deliver_what_waited(&self, endpoint: Endpoint) {
        let now = self.base.now();
        let made_due = async {
            self.endpoints.resume(&endpoint, now).await?;
            self.endpoints.make_due(endpoint, now).await
        };
        if let Err(error) = made_due.await {
            tracing::warn!(%error, "waiting webhooks could not be made due: they become due a little later");
        }
    }

    async fn view(&self, mut profile: Profile) -> Result<ProfileView, StoreFailure> {
        let delivery = self.endpoints.health(&endpoint(&profile)).await?;
        let now = self.base.now();
        let secrets = &mut profile.secrets.webhook_secrets;
        secrets.retain(|secret| secret.is_valid(now));
        Ok(ProfileView { profile, delivery })
    }
}

fn endpoint(profile: &Profile) -> Endpoint {
    Endpoint {
        merchant_id: profile.merchant_id.clone(),
        profile_id: profile.profile_id.clone(),
        endpoint_id: None,
    }
}

/// Returns whether a call with this scope sees objects of this profile.
pub(crate) fn is_in(scope: Option<&ProfileId>, profile_id: &ProfileId) -> bool {
    scope.is_none_or(|only| only == profile_id)
}

fn make_default(merchant: &MerchantAccount, profile: &Profile) -> Result<MerchantAccount, Refusal> {
    let update = MerchantAccountUpdate {
        default_profile: Some(profile.profile_id.clone()),
        ..MerchantAccountUpdate::default()
    };
    let profiles = std::slice::from_ref(&profile.profile_id);
    merchant.update(update, profiles, profile.created_at)
}

fn name_taken(profile: &Profile, error: CommitError) -> AppError {
    match error {
        CommitError::Duplicate(duplicate::PROFILE_NAME) => profile.duplicate().into(),
        CommitError::Duplicate(_)
        | CommitError::Gone(_)
        | CommitError::Conflict
        | CommitError::Failed(_) => AppError::of_commit(error),
    }
}
