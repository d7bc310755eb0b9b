//! Creates platforms (specification 4.4) and further merchant accounts of a user's organization.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::accounts::ports::{MerchantChange, OrganizationChange, ProfileChange};
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountType, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::{Organization, organization_name};
use multirail_identity_domain::{Grant, Role, as_id, company_name};
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::alphanumeric;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use super::AppError;
use super::find::Users;
use super::sessions::UserCaller;
use crate::ports::UserChange;

/// The maximum number of ids tried for a new merchant account, in case others are created in the same second.
pub(super) const NAMES_TRIED: u32 = 60;

/// The result of `create_platform`.
#[derive(Debug)]
pub struct NewPlatform {
    pub organization: Organization,
    pub account: MerchantAccount,
}

impl Users {
    /// Creates an organization of the platform type with the merchant account that acts for the others. The caller
    /// becomes its admin. The same name again creates another one. (Specification 4.4)
    ///
    /// # Errors
    /// An empty name, or one of more than 64 characters.
    pub async fn create_platform(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        name: &str,
    ) -> Result<NewPlatform, AppError> {
        let name = organization_name(name)?;
        for attempt in 0..NAMES_TRIED {
            let merchant_id = self.name_account(&name, attempt)?;
            let organization = Organization::platform(
                name.clone(),
                merchant_id.clone(),
                self.base.now(),
                self.base.random.as_ref(),
            );
            let (account, mut changes) =
                self.first_account(&organization, merchant_id.clone(), Some(name.clone()))?;
            let insert = OrganizationChange::Insert(organization.clone());
            changes.insert(0, self.organizations.change(insert));
            let grant = Grant {
                user_id: caller.user_id.clone(),
                organization_id: organization.organization_id.clone(),
                merchant_id: merchant_id.clone(),
                role: Role::OrgAdmin,
                created_at: self.base.now(),
            };
            changes.push(self.store.change(UserChange::Grant(grant)));
            if self.commit_account(origin, &merchant_id, changes).await? {
                return Ok(NewPlatform {
                    organization,
                    account,
                });
            }
        }
        Err(Refusal::busy(Object::MerchantAccount).into())
    }

    /// Creates a further merchant account in the caller's organization.
    ///
    /// # Errors
    /// [`Refusal::CompanyNameInvalid`]; [`Refusal::InvalidValue`] for a type that the organization doesn't allow.
    pub async fn create_company(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        name: &str,
        account_type: Option<MerchantAccountType>,
    ) -> Result<MerchantAccount, AppError> {
        let name = company_name(name)?;
        let organization = self
            .organizations
            .organization(&caller.organization_id)
            .await?;
        let organization = organization.ok_or_else(|| Refusal::not_found(Object::Organization))?;
        for attempt in 0..NAMES_TRIED {
            let merchant_id = self.name_account(&name, attempt)?;
            let asked = NewMerchantAccount {
                merchant_id: merchant_id.clone(),
                merchant_account_type: account_type,
                settings: named(Some(name.clone())),
            };
            let (account, changes) = self.account_of(&organization, asked, false)?;
            if self.commit_account(origin, &merchant_id, changes).await? {
                return Ok(account);
            }
        }
        Err(Refusal::busy(Object::MerchantAccount).into())
    }

    /// Returns an account that isn't closed.
    pub(super) async fn account(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Arc<MerchantAccount>, AppError> {
        let found = self.accounts.merchant(merchant_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::MerchantAccount).into())
    }

    /// Commits a new account. Returns false if its id is taken.
    async fn commit_account(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        changes: Vec<Change>,
    ) -> Result<bool, AppError> {
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Duplicate(duplicate::MERCHANT)) => Ok(false),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    pub(super) fn first_account(
        &self,
        organization: &Organization,
        merchant_id: MerchantId,
        name: Option<String>,
    ) -> Result<(MerchantAccount, Vec<Change>), AppError> {
        let asked = NewMerchantAccount {
            merchant_id,
            merchant_account_type: None,
            settings: named(name),
        };
        self.account_of(organization, asked, true)
    }

    /// Makes a merchant account, and the changes that store it and its profile.
    fn account_of(
        &self,
        organization: &Organization,
        asked: NewMerchantAccount,
        is_first: bool,
    ) -> Result<(MerchantAccount, Vec<Change>), AppError> {
        let made = MerchantAccount::create(
            asked,
            organization,
            is_first,
            self.base.environment,
            self.base.now(),
            self.base.random.as_ref(),
        )?;
        let mut changes = vec![
            self.accounts
                .change(MerchantChange::Insert(made.account.clone())),
        ];
        let profiles = made.profiles.into_iter();
        changes
            .extend(profiles.map(|profile| self.profiles.change(ProfileChange::Insert(profile))));
        Ok((made.account, changes))
    }

    /// Returns the id of a new account. In the sandbox it contains the time, in production the account's name. Random
    /// characters follow if that id is taken or the name has no usable letter.
    fn name_account(&self, name: &str, attempt: u32) -> Result<MerchantId, AppError> {
        if self.base.environment == Environment::Sandbox {
            return by_the_clock(self.base.now(), attempt);
        }
        let text = match (as_id(name), attempt) {
            (id, 0) if !id.is_empty() => id,
            (id, _) => {
                let stem = if id.is_empty() { "merchant" } else { &id };
                format!("{stem}_{}", alphanumeric(self.base.random.as_ref(), 8))
            }
        };
        parsed(&text)
    }
}

fn named(name: Option<String>) -> MerchantAccountUpdate {
    MerchantAccountUpdate {
        merchant_name: name,
        ..MerchantAccountUpdate::default()
    }
}

/// Returns `merchant_` and the Unix seconds of now, or of a later second if that id is taken.
pub(super) fn by_the_clock(now: Timestamp, attempt: u32) -> Result<MerchantId, AppError> {
    parsed(&format!(
        "merchant_{}",
        now.unix_seconds() + i64::from(attempt)
    ))
}

fn parsed(text: &str) -> Result<MerchantId, AppError> {
    MerchantId::parse(text)
        .map_err(|_| AppError::Broken(format!("{text} is not a valid id of a merchant account")))
}
