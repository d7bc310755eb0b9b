//! Links that sign the owner of a merchant account in to the console, for someone who starts a sandbox on their own
//! machine.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{Grant, Role, SIGN_IN_LINK_SECONDS, SignInLink, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::random::alphanumeric;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

use super::sign_in::{FirstStep, SignIns};
use super::{AppError, Visit, storable};
use crate::ports::UserChange;

impl SignIns {
    /// Makes the token of a link for the owner of a merchant account, which opens the console once. The owner is the
    /// user of this address, who is created if missing, and gets their role back if it was removed.
    ///
    /// # Errors
    /// An unknown account, or a store that fails.
    pub async fn link_for_owner(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        email: &Email,
    ) -> Result<SecretText, AppError> {
        let account = self.users.account(merchant_id).await?;
        let now = self.base.now();
        let known = self.users.sign_in_of(email).await?;
        let mut changes = Vec::new();
        let user_id = match known {
            Some(known) => known.user_id,
            None => {
                let user_id = UserId::generate(self.base.random.as_ref());
                let home = merchant_id.clone();
                let user = User::create(user_id.clone(), home, email.clone(), None, now);
                changes.push(UserChange::Insert(Box::new(user)));
                user_id
            }
        };
        let token = SecretText::new(format!(
            "sil_{}",
            alphanumeric(self.base.random.as_ref(), 48)
        ));
        changes.push(UserChange::Grant(Grant {
            user_id: user_id.clone(),
            organization_id: account.organization_id.clone(),
            merchant_id: merchant_id.clone(),
            role: Role::OrgAdmin,
            created_at: now,
        }));
        changes.push(UserChange::AddSignInLink(SignInLink {
            hash: self.base.seal.hash_api_key(&token),
            user_id,
            expires_at: now.plus_seconds(SIGN_IN_LINK_SECONDS).unwrap_or(now),
        }));
        let changes = storable(self.store.as_ref(), changes);
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        Ok(token)
    }

    /// Signs in the user of a link, which is used up. The link replaces the password only.
    ///
    /// # Errors
    /// [`Refusal::PasswordLinkInvalid`]; [`Refusal::NotAllowed`] for a user without any merchant account.
    pub async fn by_link(&self, visit: Visit, token: &SecretText) -> Result<FirstStep, AppError> {
        let hash = self.base.seal.hash_api_key(token);
        let found = self.store.sign_in_link(&hash).await?;
        let now = self.base.now();
        let link = found.filter(|link| now < link.expires_at);
        let link = link.ok_or(Refusal::PasswordLinkInvalid)?;
        let user_id = link.user_id.clone();
        let actor = Actor::User(user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id.clone(), None);
        let changes = storable(self.store.as_ref(), [UserChange::UseSignInLink(link)]);
        let change_set = self
            .base
            .change_set(&origin, None, ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => self.first_step(visit, &user_id).await,
            // Another request used it meanwhile.
            Err(CommitError::Conflict) => Err(Refusal::PasswordLinkInvalid.into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }
}
