//! Merchant accounts: opened with an organization and profiles, changed. How they are deleted: `merchant_deletion`.

use std::sync::Arc;

use multirail_domain::ids::{MerchantId, OrganizationId, ProfileId};
use multirail_domain::merchant::{
    MerchantAccount, MerchantAccountType, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::organization::Organization;
use multirail_domain::refusal::{Object, Refusal};

use super::decisions::Decisions;
use super::idempotency::ForKey;
use super::{App, AppError, Origin};
use crate::ports::failure::duplicate;
use crate::ports::{CommitError, MerchantChange, OrganizationChange, ProfileChange};

/// The request, translated.
#[derive(Debug)]
pub struct CreateMerchantAccount {
    /// Chosen by the caller.
    pub merchant_id: String,
    /// An organization that exists; a new one where none is named.
    pub organization_id: Option<String>,
    /// What it is to be in its organization.
    pub merchant_account_type: Option<MerchantAccountType>,
    pub settings: MerchantAccountUpdate,
}

impl App {
    /// Opens an account, with an organization of its own unless one is named, and with its first profiles.
    ///
    /// # Errors
    /// An id that is taken or no id, an unknown organization, whatever is wrong with the settings. Nothing is stored
    /// then.
    pub async fn create_merchant_account(
        &self,
        origin: &Origin,
        request: CreateMerchantAccount,
    ) -> Result<MerchantAccount, AppError> {
        let merchant_id = MerchantId::parse_chosen(&request.merchant_id, &[])
            .map_err(|invalid| invalid.refusal("merchant_id"))?;
        self.check_webhook_target(request.settings.webhook.as_ref())?;
        let mut changes = Vec::new();
        let organization = match &request.organization_id {
            Some(named) => self.named_organization(named).await?,
            None => {
                let name = request.settings.merchant_name.clone();
                let new = Organization::standard(name, self.now(), self.random.as_ref());
                let insert = OrganizationChange::Insert(new.clone());
                changes.push(self.store.change(insert).into());
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
            self.environment,
            self.now(),
            self.random.as_ref(),
        )?;
        let mut account = made.account;
        changes.push(
            self.store
                .change(MerchantChange::Insert(account.clone()))
                .into(),
        );
        let profiles = made.profiles.into_iter();
        changes.extend(
            profiles.map(|profile| self.store.change(ProfileChange::Insert(profile)).into()),
        );
        let change_set =
            self.change_set(origin, Some(&account.merchant_id), ForKey::Nothing, changes);
        match self.store.commit(change_set).await {
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

    /// One account.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] when there is none of this id, or it was deleted.
    pub async fn merchant_account(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Arc<MerchantAccount>, AppError> {
        self.store
            .merchant(merchant_id)
            .await?
            .ok_or_else(|| Refusal::not_found(Object::MerchantAccount).into())
    }

    /// Changes what is given.
    ///
    /// # Errors
    /// An unknown account, a default profile of somebody else, whatever is wrong with the settings.
    pub async fn update_merchant_account(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        update: MerchantAccountUpdate,
    ) -> Result<MerchantAccount, AppError> {
        let mut decisions = Decisions::begin(Object::MerchantAccount);
        loop {
            let account = self.merchant_account(merchant_id).await?;
            self.check_webhook_target(update.webhook.as_ref())?;
            let profiles = match &update.default_profile {
                Some(_) => self.profile_ids(merchant_id).await?,
                None => Vec::new(),
            };
            let updated = account.update(update.clone(), &profiles, self.now())?;
            let changes = vec![
                self.store
                    .change(MerchantChange::Update(updated.clone()))
                    .into(),
            ];
            let change_set = self.change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.store.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    async fn named_organization(&self, named: &str) -> Result<Organization, AppError> {
        let organization_id =
            OrganizationId::parse(named).map_err(|invalid| invalid.refusal("organization_id"))?;
        self.organizations.find(&organization_id).await
    }

    async fn profile_ids(&self, merchant_id: &MerchantId) -> Result<Vec<ProfileId>, AppError> {
        let profiles = self.store.profiles(merchant_id).await?;
        Ok(profiles
            .into_iter()
            .map(|profile| profile.profile_id)
            .collect())
    }
}
