//! Links that sign the owner of a merchant account in to the console, for someone who starts a sandbox on their own
//! machine.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{Grant, Invitation, Role, SIGN_IN_LINK_SECONDS, SignInLink, User};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::sign_in::{FirstStep, SignIns};
use super::{AppError, Visit, one_time_token, storable};
use crate::ports::UserChange;

impl SignIns {
    /// Makes the token of a link for the owner of a merchant account, which opens the console once. The owner is the
    /// user of this address, who is created if missing. A known user without the role gets it with the link's use.
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
        let expires_at = now.plus_seconds(SIGN_IN_LINK_SECONDS).unwrap_or(now);
        let (user_id, mut changes) = self.owner(&account, email, expires_at).await?;
        let (token, hash) = one_time_token(&self.base, "sil");
        changes.push(UserChange::AddSignInLink(SignInLink {
            hash,
            user_id,
            expires_at,
        }));
        let changes = storable(self.store.as_ref(), changes);
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        Ok(token)
    }

    /// Returns the owner of a merchant account, and the changes that give them their role. A sign-up with
    /// the address proves nothing, so a known user is only offered the role until the link is used.
    async fn owner(
        &self,
        account: &MerchantAccount,
        email: &Email,
        expires_at: Timestamp,
    ) -> Result<(UserId, Vec<UserChange>), AppError> {
        let now = self.base.now();
        let known = self.users.sign_in_of(email).await?;
        let grant = |user_id: &UserId| Grant {
            user_id: user_id.clone(),
            organization_id: account.organization_id.clone(),
            merchant_id: account.merchant_id.clone(),
            role: Role::OrgAdmin,
            created_at: now,
        };
        let Some(known) = known else {
            let user_id = UserId::generate(self.base.random.as_ref());
            let home = account.merchant_id.clone();
            let user = User::create(user_id.clone(), home, email.clone(), None, now);
            let role = UserChange::Grant(grant(&user_id));
            return Ok((user_id, vec![UserChange::Insert(Box::new(user)), role]));
        };
        let grant = grant(&known.user_id);
        let held = self.store.grants(&known.user_id).await?;
        let changes = match grant.adds_nothing_to(&held) {
            true => Vec::new(),
            false => vec![UserChange::Invite(Invitation { grant, expires_at })],
        };
        Ok((known.user_id, changes))
    }

    /// Returns the changes by which the holder of a link takes up the roles that wait for its user. A person who signed
    /// up with the address keeps no way to sign in.
    async fn takeover(&self, user_id: &UserId) -> Result<Vec<UserChange>, AppError> {
        let mut changes = self.users.taken_up(user_id).await?;
        if changes.is_empty() {
            return Ok(changes);
        }
        let user = self.store.user(user_id).await?;
        let user = user.ok_or_else(|| AppError::Broken("a link has no user".to_owned()))?;
        if user.password_hash.is_some() {
            let changed = user.without_password(self.base.now());
            changes.push(UserChange::Update(Box::new(changed)));
        }
        let factor = self.store.second_factor(user_id).await?;
        changes.extend(factor.map(|factor| UserChange::EndSecondFactor(Box::new(factor))));
        changes.push(UserChange::Unlink(user_id.clone()));
        changes.push(UserChange::EndSessions {
            user_id: user_id.clone(),
            except: None,
        });
        Ok(changes)
    }

    /// Signs in the user of a link, which is used up. The link replaces the password only, unless a role waits for it.
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
        let mut changes = vec![UserChange::UseSignInLink(link)];
        changes.extend(self.takeover(&user_id).await?);
        let changes = storable(self.store.as_ref(), changes);
        let change_set = self
            .base
            .change_set(&origin, None, ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => {
                let version = self.sessions.version_of(&user_id).await?;
                let step = self.first_step(&visit, &user_id, version).await?;
                step.ok_or_else(|| Refusal::PasswordLinkInvalid.into())
            }
            // Another request used it meanwhile.
            Err(CommitError::Conflict) => Err(Refusal::PasswordLinkInvalid.into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }
}
