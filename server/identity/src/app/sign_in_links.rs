//! Links that sign the owner of a merchant account in to the console, for someone who starts a sandbox on their own
//! machine.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{
    Grant, Invitation, Role, SIGN_IN_LINK_SECONDS, SecondFactor, SignInLink, User,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::sign_in::{FirstStep, PendingStep, SignIns};
use super::{AppError, Visit, one_time_token, storable};
use crate::ports::UserChange;

/// The beginning of a token, before the merchant account whose owner it is for.
const PREFIX: &str = "sil_";

/// Returns the merchant account that a token names. Only the hash of the whole token is stored, so no holder can name another
/// one.
fn account_in(token: &SecretText) -> Option<MerchantId> {
    let (named, _) = token.expose().strip_prefix(PREFIX)?.rsplit_once('_')?;
    MerchantId::parse(named).ok()
}

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
        let (token, hash) = one_time_token(&self.base, &format!("{PREFIX}{merchant_id}"));
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
            false => vec![UserChange::Invite(Invitation {
                grant,
                expires_at,
                invited_by: None,
            })],
        };
        Ok((known.user_id, changes))
    }

    /// Signs in the user of a link, which is used up. The link replaces the password only, unless a role waits for it.
    ///
    /// # Errors
    /// [`Refusal::PasswordLinkInvalid`]; [`Refusal::NotAllowed`] for a user without any merchant account. The link stays
    /// valid then.
    pub async fn by_link(&self, visit: Visit, token: &SecretText) -> Result<FirstStep, AppError> {
        let hash = self.base.seal.hash_api_key(token);
        let found = self.store.sign_in_link(&hash).await?;
        let now = self.base.now();
        let link = found.filter(|link| now < link.expires_at);
        let link = link.ok_or(Refusal::PasswordLinkInvalid)?;
        let user_id = link.user_id.clone();
        let own = match account_in(token) {
            Some(merchant_id) => self.accounts.merchant(&merchant_id).await?,
            None => None,
        };
        let own = own.map(|account| account.organization_id.clone());
        let pending = self.step_by_link(&visit, link, own).await?;
        let step = self.store_step(&visit, &user_id, pending).await?;
        // Another request used the link meanwhile.
        step.ok_or_else(|| Refusal::PasswordLinkInvalid.into())
    }

    /// Returns the first step of a link's user, with the changes that use up the link and give the holder the role in the
    /// link's own organization that waits for it.
    async fn step_by_link(
        &self,
        visit: &Visit,
        link: SignInLink,
        own: Option<OrganizationId>,
    ) -> Result<PendingStep, AppError> {
        let user = self.store.user(&link.user_id).await?;
        let user = user.ok_or_else(|| AppError::Broken("a link has no user".to_owned()))?;
        let factor = self.store.second_factor(&user.user_id).await?;
        let mut grants = self.store.grants(&user.user_id).await?;
        // A link is the owner's, so it takes up no lower role that somebody else offered, and none elsewhere.
        let is_owners = |offered: &Grant| {
            offered.role.is_of_organization() && own.as_ref() == Some(&offered.organization_id)
        };
        let taken_up = self.users.taken_up(&user.user_id, is_owners).await?;
        for change in &taken_up {
            if let UserChange::Grant(grant) = change {
                grant.clone().add_to(&mut grants);
            }
        }
        let checked = (&user.user_id, user.version);
        let is_takeover = !taken_up.is_empty();
        // A second factor that the takeover ends isn't asked for.
        let asked = factor.clone().filter(|_| !is_takeover);
        let mut pending = self.pending_step(visit, checked, asked, &grants).await?;
        pending.changes.push(UserChange::UseSignInLink(link));
        pending.changes.extend(taken_up);
        if is_takeover {
            let takeover = self.takeover(&user, factor, &pending.step);
            pending.changes.extend(takeover);
        }
        Ok(pending)
    }

    /// Returns the changes by which the holder of a link takes its user over. A person who signed up with the address
    /// keeps no way to sign in.
    fn takeover(
        &self,
        user: &User,
        factor: Option<SecondFactor>,
        step: &FirstStep,
    ) -> Vec<UserChange> {
        let mut changes = Vec::new();
        if user.password_hash.is_some() {
            let changed = user.without_password(self.base.now());
            changes.push(UserChange::Update(Box::new(changed)));
        }
        changes.extend(factor.map(|factor| UserChange::EndSecondFactor(Box::new(factor))));
        changes.push(UserChange::Unlink(user.user_id.clone()));
        changes.push(UserChange::EndSessions {
            user_id: user.user_id.clone(),
            except: match step {
                FirstStep::SignedIn(signed_in) => Some(signed_in.session.session_id.clone()),
                FirstStep::SecondStep(_) => None,
            },
        });
        changes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use multirail_app::fixture::{Committed, base};
    use multirail_app::platform::ports::{CommitError, StoreFailure};

    use super::*;
    use crate::fixture::{Stored, account, grant, sign_ins, visit};

    /// The token of the link.
    const TOKEN: &str = "sil_bookshop_1";

    /// Makes the service with a link of the bookshop's admin, to whom these roles are offered.
    fn service(committed: &Arc<Committed>, offered: &[Grant]) -> SignIns {
        let (base, store) = (base(committed), Arc::new(Stored::default()));
        let user_id = UserId::parse("user_1").expect("an id");
        let email = Email::parse("ada@books.example").expect("an address");
        let home = account().merchant_id;
        let user = User::create(user_id.clone(), home, email, None, base.now());
        let expires_at = base.now().plus_seconds(900).expect("a time");
        *store.user.lock().expect("no panic") = Some(user);
        *store.link.lock().expect("no panic") = Some(SignInLink {
            hash: format!("hash of {TOKEN}"),
            user_id,
            expires_at,
        });
        let offers = offered.iter().map(|grant| Invitation {
            grant: grant.clone(),
            expires_at,
            invited_by: None,
        });
        store.invitations.lock().expect("no panic").extend(offers);
        let role = grant(Role::OrgAdmin);
        store.grants.lock().expect("no panic").push(role);
        sign_ins(&base, &store)
    }

    #[tokio::test]
    async fn a_link_is_used_up_in_the_commit_that_stores_its_session() {
        let committed = Arc::new(Committed::default());
        let sign_ins = service(&committed, &[]);
        let opens = async || {
            let token = SecretText::new(TOKEN);
            sign_ins.by_link(visit(), &token).await
        };
        let away = StoreFailure::Unavailable("restarting".to_owned());
        committed.refuse(CommitError::Failed(away));
        assert!(opens().await.is_err());
        assert_eq!(committed.lines(), Vec::<String>::new());
        opens().await.expect("a session");
        let lines = committed.lines();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[1].contains("OpenSession"), "{lines:?}");
        assert!(lines[2].contains("UseSignInLink"), "{lines:?}");
    }

    /// Anybody may have offered the owner a role in their own organization.
    #[tokio::test]
    async fn a_link_takes_up_only_the_role_in_its_own_organization() {
        let own = grant(Role::OrgAdmin);
        let elsewhere = Grant {
            organization_id: OrganizationId::parse("org_of_flowers").expect("an id"),
            merchant_id: MerchantId::parse("florist").expect("an id"),
            ..own.clone()
        };
        let lower = grant(Role::MerchantOperator);
        let offered = [elsewhere, own.clone(), lower];
        let taken_up = async |token: &str| {
            let committed = Arc::new(Committed::default());
            let sign_ins = service(&committed, &offered);
            let opened = sign_ins.by_link(visit(), &SecretText::new(token)).await;
            opened.expect("a session");
            let mut lines = committed.lines();
            lines.retain(|line| line.contains("EndInvitation"));
            lines
        };
        let lines = taken_up(TOKEN).await;
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(own.organization_id.as_str()), "{lines:?}");
        assert!(lines[0].contains("OrgAdmin"), "{lines:?}");
        for nowhere in ["sil_florist_1", "sil_1"] {
            assert_eq!(taken_up(nowhere).await, Vec::<String>::new());
        }
    }
}
