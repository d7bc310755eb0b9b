//! A user's own link to the identity provider.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

use super::oidc::OidcAnswer;
use super::sessions::UserCaller;
use super::sign_in::SignIns;
use super::{AppError, not_allowed, storable};
use crate::ports::UserChange;

impl SignIns {
    /// Links the caller to the person whom the identity provider has just authenticated. The provider may know them by
    /// another address, because they prove both identities: by their password here, and by signing in there.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`]; [`Refusal::Precondition`] for a linked user; [`Refusal::NotAllowed`] if another user
    /// is linked to that person; the errors of [`SignIns::by_oidc`].
    pub async fn link_oidc(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        password: &SecretText,
        answer: &OidcAnswer,
    ) -> Result<(), AppError> {
        let version = self.users.check_password_of(caller, password).await?;
        if self.store.has_identity(&caller.user_id).await? {
            let why = "your account is linked with the identity provider already; unlink it first";
            return Err(Refusal::precondition(why).into());
        }
        let identity = self.identity_of(answer).await?;
        let (_, rules) = self.provider()?;
        rules.admit(&identity)?;
        let link = self.identity_link(&identity, &caller.user_id);
        let changes = vec![UserChange::Link { link, version }];
        let merchant_id = Some(&caller.merchant_id);
        let change_set = self.base.change_set(
            origin,
            merchant_id,
            ForKey::Nothing,
            storable(self.store.as_ref(), changes),
        );
        match self.base.commit(change_set).await {
            Ok(()) => Ok(()),
            // The sign-ins of the user ended while the provider was asked.
            Err(CommitError::Conflict) => Err(Refusal::WrongPassword.into()),
            Err(CommitError::Duplicate(duplicate::IDENTITY)) => Err(not_allowed(
                "another account is linked with you at the identity provider, or yours has just been linked",
            )),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Removes the caller's link, so that signing in needs the password, and ends all their other sign-ins. A user
    /// without a password can't remove the link, because they could not sign in any more.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`], [`Refusal::Precondition`] for a user without a link.
    pub async fn unlink_oidc(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        password: &SecretText,
    ) -> Result<(), AppError> {
        self.users.check_password_of(caller, password).await?;
        if !self.store.has_identity(&caller.user_id).await? {
            let why = "your account is not linked with the identity provider";
            return Err(Refusal::precondition(why).into());
        }
        let user_id = caller.user_id.clone();
        let changes = vec![
            UserChange::EndSessions {
                user_id: user_id.clone(),
                except: Some(caller.session_id.clone()),
            },
            UserChange::Unlink(user_id),
        ];
        let merchant_id = Some(&caller.merchant_id);
        let change_set = self.base.change_set(
            origin,
            merchant_id,
            ForKey::Nothing,
            storable(self.store.as_ref(), changes),
        );
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }
}
