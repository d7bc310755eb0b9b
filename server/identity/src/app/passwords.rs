//! Changes a password, by the former one or by a link.

use multirail_app::Origin;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{PasswordLink, check_password};
use multirail_kernel::ids::{SessionId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, storable};
use crate::ports::UserChange;

impl Users {
    /// Replaces the password and ends all other sign-ins of the user.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`] for a wrong former password, [`Refusal::PasswordInvalid`], also for an unchanged
    /// password.
    pub async fn change_password(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        former: &SecretText,
        next: &SecretText,
    ) -> Result<(), AppError> {
        check_password(next)?;
        if former == next {
            let why = "it has to be another one than before";
            return Err(Refusal::PasswordInvalid { why }.into());
        }
        let user = self.store.user(&caller.user_id).await?;
        let stored = user.and_then(|user| user.password_hash);
        if !self.passwords.is_of(former, stored.as_ref()).await {
            return Err(Refusal::WrongPassword.into());
        }
        let hash = self.passwords.hash(next).await;
        let keep = Some(&caller.session_id);
        self.store_password(origin, &caller.user_id, &hash, keep, None)
            .await
    }

    /// Sets the password that the holder of a link has chosen, once, and ends all sign-ins of the user. The link proves
    /// that they own the address, so the roles offered to them take effect.
    ///
    /// # Errors
    /// [`Refusal::PasswordLinkInvalid`], [`Refusal::PasswordInvalid`].
    pub async fn choose_password(
        &self,
        request_id: String,
        link: &SecretText,
        password: &SecretText,
    ) -> Result<(), AppError> {
        check_password(password)?;
        let stored = self.base.seal.hash_api_key(link);
        let found = self.store.password_link(&stored).await?;
        let now = self.base.now();
        let link = found
            .filter(|link| now < link.expires_at)
            .ok_or(Refusal::PasswordLinkInvalid)?;
        let hash = self.passwords.hash(password).await;
        let actor = Actor::User(link.user_id.to_string());
        let origin = Origin::of_request(actor, request_id, None);
        let user_id = link.user_id.clone();
        self.store_password(&origin, &user_id, &hash, None, Some(link))
            .await
    }

    async fn store_password(
        &self,
        origin: &Origin,
        user_id: &UserId,
        hash: &SecretText,
        keep: Option<&SessionId>,
        link: Option<PasswordLink>,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::User);
        loop {
            // A link that was used meanwhile is a conflict, and isn't found any more.
            if let Some(link) = &link
                && self.store.password_link(&link.hash).await?.is_none()
            {
                return Err(Refusal::PasswordLinkInvalid.into());
            }
            let user = self.store.user(user_id).await?;
            let user = user.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))?;
            let changed = user.with_password(hash.clone(), self.base.now());
            let mut changes = vec![
                UserChange::Update(Box::new(changed)),
                UserChange::EndSessions {
                    user_id: user_id.clone(),
                    except: keep.cloned(),
                },
            ];
            if let Some(link) = &link {
                changes.push(UserChange::UsePasswordLink(link.clone()));
                // Someone who had the account before its address was proved may have linked it.
                changes.push(UserChange::Unlink(user_id.clone()));
                changes.extend(self.taken_up(user_id).await?);
            }
            let merchant_id = Some(&user.home_merchant_id);
            let change_set = self.base.change_set(
                origin,
                merchant_id,
                ForKey::Nothing,
                storable(self.store.as_ref(), changes),
            );
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(
                            self.base.random.as_ref(),
                            error,
                            |error: CommitError| AppError::of_commit(error),
                        )
                        .await?
                }
            }
        }
    }
}
