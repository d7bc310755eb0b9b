//! Finds users by a token or an address, and checks their passwords.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::{MerchantStore, OrganizationStore, ProfileStore};
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::{Passwords, Purge, StoreFailure};
use multirail_identity_domain::{SecondFactor, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::AppError;
use super::mails::PasswordMails;
use super::sessions::{Sessions, UserCaller};
use crate::ports::{SignIn, UserChange, UserStore};

/// The use cases of users: sign-up, invitations, operator's help, passwords and merchant accounts.
pub struct Users {
    pub base: Arc<Base>,
    pub store: Arc<dyn UserStore>,
    pub accounts: Arc<dyn MerchantStore>,
    pub profiles: Arc<dyn ProfileStore>,
    pub organizations: Arc<dyn OrganizationStore>,
    pub passwords: Arc<dyn Passwords>,
    pub sessions: Arc<Sessions>,
    pub mails: Arc<PasswordMails>,
    /// True if anybody may sign up.
    pub open_sign_up: bool,
}

/// A user's view of their own account.
pub struct UserView {
    pub user: User,
    pub caller: UserCaller,
    pub is_second_factor_on: bool,
    pub recovery_codes_left: usize,
    pub is_oidc_linked: bool,
    /// True if the users of the account need a second factor.
    pub is_second_factor_required: bool,
}

impl Users {
    /// Returns the user of a token.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn find(&self, caller: UserCaller) -> Result<UserView, AppError> {
        let user = self.store.user(&caller.user_id).await?;
        let user = user.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))?;
        let is_oidc_linked = self.store.has_identity(&caller.user_id).await?;
        let is_second_factor_required = self.is_second_factor_required(&caller).await?;
        let factor = self.store.second_factor(&caller.user_id).await?;
        let factor = factor.filter(SecondFactor::is_on);
        let left = |factor: &SecondFactor| factor.secrets.recovery_hashes.len();
        Ok(UserView {
            user,
            caller,
            is_second_factor_on: factor.is_some(),
            recovery_codes_left: factor.as_ref().map_or(0, left),
            is_oidc_linked,
            is_second_factor_required,
        })
    }

    /// Returns the user of an address in its current spelling, or in the spelling of earlier versions.
    pub(super) async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, AppError> {
        let (_, found) = self.stored_as(email).await?;
        Ok(found)
    }

    /// Returns an address in the spelling in which its user is stored, with the user. Without a user it is the current
    /// spelling.
    pub(super) async fn stored_as(
        &self,
        email: &Email,
    ) -> Result<(Email, Option<SignIn>), AppError> {
        let found = self.store.sign_in_of(email).await?;
        if found.is_none()
            && let Some(before) = email.stored_before()
            && let Some(found) = self.store.sign_in_of(&before).await?
        {
            return Ok((before, Some(found)));
        }
        Ok((email.clone(), found))
    }

    /// Returns the account whose audit log has a change of a user's own sign-in: one of the roles that they take up with
    /// it, or else the one in which they begin. Another account that knows the user, such as the one that invited them
    /// first, has nothing to do with it.
    pub(super) async fn account_of_own_change(
        &self,
        user_id: &UserId,
        taken: &[UserChange],
    ) -> Result<Option<MerchantId>, AppError> {
        for change in taken {
            if let UserChange::Grant(grant) = change {
                return Ok(Some(grant.merchant_id.clone()));
            }
        }
        let grants = self.store.grants(user_id).await?;
        let begins = self.sessions.first_open(&grants).await?;
        Ok(begins.map(|(account, _)| account.merchant_id.clone()))
    }

    /// Checks the caller's password, and returns their version at which it was checked.
    pub(super) async fn check_password_of(
        &self,
        caller: &UserCaller,
        password: &SecretText,
    ) -> Result<i64, AppError> {
        let user = self.store.user(&caller.user_id).await?;
        let stored = user.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.passwords.is_of(password, stored).await;
        let user = user.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        Ok(user.version)
    }
}

/// Purges expired rows: sign-ins, sign-ins in progress, links, invitations and mail.
#[async_trait]
impl Purge for Users {
    fn what(&self) -> &'static str {
        "sign-ins"
    }

    async fn purge(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure> {
        self.store.purge_sign_ins(now, at_most).await
    }
}
