//! Merchant accounts: opened with an organization and profiles, and changed. `merchant_deletion` deletes them.

use std::sync::Arc;

use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountType, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_domain::accounts::webhook_settings::WebhookSettingsInput;
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::target::TargetRules;

use super::organizations::Organizations;
use crate::accounts::ports::{
    MerchantChange, MerchantStore, OrganizationChange, ProfileChange, ProfileStore,
};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::ports::CommitError;
use crate::platform::ports::failure::duplicate;
use crate::{AppError, Origin};

/// The request, translated.
#[derive(Debug)]
pub struct CreateMerchantAccount {
    /// The id that the caller chose.
    pub merchant_id: String,
    /// An existing organization. Where it is absent, the account gets a new one.
    pub organization_id: Option<String>,
    /// The account's role in its organization.
    pub merchant_account_type: Option<MerchantAccountType>,
    pub settings: MerchantAccountUpdate,
}

/// The use cases of merchant accounts.
pub struct Merchants {
    pub base: Arc<Base>,
    pub store: Arc<dyn MerchantStore>,
    pub profiles: Arc<dyn ProfileStore>,
    pub organizations: Arc<Organizations>,
    /// The addresses to which webhooks may be sent.
    pub webhook_targets: TargetRules,
}

impl Merchants {
    /// Opens an account with its first profiles, and with a new organization unless the request names one.
    ///
    /// # Errors
    /// An id that is taken or invalid, an unknown organization, invalid settings. Nothing is stored in these cases.
    pub async fn create(
        &self,
        origin: &Origin,
        request: CreateMerchantAccount,
    ) -> Result<MerchantAccount, AppError> {
        let merchant_id = MerchantId::parse_chosen(&request.merchant_id, &[])
            .map_err(|invalid| invalid.refusal("merchant_id"))?;
        self.check_target(request.settings.webhook.as_ref())?;
        let mut changes = Vec::new();
        let organization = match &request.organization_id {
            Some(named) => self.named_organization(named).await?,
            None => {
                let name = request.settings.merchant_name.clone();
                let new = Organization::standard(name, self.base.now(), self.base.random.as_ref());
                let insert = OrganizationChange::Insert(new.clone());
                changes.push(self.organizations.store.change(insert));
                new
            }
        };
        let made = MerchantAccount::create(
            NewMerchantAccount {
                merchant_id,
                merchant_account_type: request.merchant_account_type,
                settings: request.settings,
            },
            &organization,
            request.organization_id.is_none(),
            self.base.environment,
            self.base.now(),
            self.base.random.as_ref(),
        )?;
        let mut account = made.account;
        changes.push(self.store.change(MerchantChange::Insert(account.clone())));
        let profiles = made.profiles.into_iter();
        changes
            .extend(profiles.map(|profile| self.profiles.change(ProfileChange::Insert(profile))));
        let change_set =
            self.base
                .change_set(origin, Some(&account.merchant_id), ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => {
                account.version = 1;
                Ok(account)
            }
            Err(CommitError::Duplicate(duplicate::MERCHANT)) => {
                Err(MerchantAccount::duplicate(&account.merchant_id).into())
            }
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns one account.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] when no account has this id, or it was deleted.
    pub async fn find(&self, merchant_id: &MerchantId) -> Result<Arc<MerchantAccount>, AppError> {
        self.store
            .merchant(merchant_id)
            .await?
            .ok_or_else(|| Refusal::not_found(Object::MerchantAccount).into())
    }

    /// Changes the members that are given.
    ///
    /// # Errors
    /// An unknown account, a default profile of another merchant, invalid settings.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        update: MerchantAccountUpdate,
    ) -> Result<MerchantAccount, AppError> {
        let mut decisions = Decisions::begin(Object::MerchantAccount);
        loop {
            let account = self.find(merchant_id).await?;
            self.check_target(update.webhook.as_ref())?;
            let profiles = match &update.default_profile {
                Some(_) => self.profile_ids(merchant_id).await?,
                None => Vec::new(),
            };
            let updated = account.update(update.clone(), &profiles, self.base.now())?;
            let changes = vec![self.store.change(MerchantChange::Update(updated.clone()))];
            let change_set =
                self.base
                    .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Checks that the server may send webhooks to the address in these settings, as far as that is possible without a
    /// resolver.
    pub(crate) fn check_target(
        &self,
        settings: Option<&WebhookSettingsInput>,
    ) -> Result<(), Refusal> {
        let url = settings.and_then(|settings| settings.webhook_url.as_deref());
        url.map_or(Ok(()), |url| {
            let member = "webhook_details.webhook_url";
            self.webhook_targets.check_setting(member, url)
        })
    }

    async fn named_organization(&self, named: &str) -> Result<Organization, AppError> {
        let organization_id =
            OrganizationId::parse(named).map_err(|invalid| invalid.refusal("organization_id"))?;
        self.organizations.find(&organization_id).await
    }

    async fn profile_ids(&self, merchant_id: &MerchantId) -> Result<Vec<ProfileId>, AppError> {
        let profiles = self.profiles.profiles(merchant_id).await?;
        Ok(profiles
            .into_iter()
            .map(|profile| profile.profile_id)
            .collect())
    }
}
