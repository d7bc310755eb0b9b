//! Signing in by the operator's identity provider (OpenID Connect, authorization code with PKCE).
//!
//! The browser that begins gets a token and the address of the provider's page. The provider's answer is accepted only
//! with this token, so a link can't sign someone in as another person. All values that tie answer and request together
//! are derived from the token. Its keyed hash is stored for ten minutes and removed before the provider is asked. So
//! any server can finish the sign-in, but only once. Nothing from the provider is stored.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{
    BegunOidc, Entry, Grant, Identity, IdentityLink, Known, Newcomers, OIDC_SECONDS, OidcRules,
    OidcTies, Role, User, is_state_of,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::sign_in::{FirstStep, SignIns};
use super::{AppError, Visit, not_allowed, one_time_token, storable};
use crate::ports::UserChange;
use crate::ports::identity_provider::{IdentityProvider, ProviderFailure, ReturnPage};

/// The maximum number of look-ups, in case the same person signs in twice at once.
const LOOKS: u32 = 3;

/// A sign-in in progress.
pub struct OidcPage {
    /// Shown once to the browser that began, which sends it back with the answer.
    pub token: SecretText,
    /// The provider's page, which the browser opens.
    pub url: SecretText,
    pub expires_at: Timestamp,
}

/// The provider's answer from the browser, with the token of the browser that began.
pub struct OidcAnswer {
    pub token: SecretText,
    pub state: String,
    pub code: SecretText,
    /// The provider's name in the answer, if it has one (RFC 9207).
    pub issuer: Option<String>,
    /// The page to which the browser came back.
    pub page: ReturnPage,
}

impl SignIns {
    /// Returns the operator's rules for signing in by the identity provider, if there is one.
    pub fn oidc_rules(&self) -> Option<&OidcRules> {
        self.oidc.as_ref().map(|(_, rules)| rules)
    }

    /// Begins a sign-in by the identity provider, from which the browser comes back to `page`.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] without a provider, [`Refusal::ProviderUnavailable`].
    pub async fn begin_oidc(&self, page: &ReturnPage) -> Result<OidcPage, AppError> {
        let (provider, _) = self.provider()?;
        let (token, hash) = one_time_token(&self.base, "oidc");
        let ties = OidcTies::from_token(&token);
        let url = provider.sign_in_page(&ties, page).await;
        let url = url.map_err(refused)?;
        let now = self.base.now();
        let begun = BegunOidc {
            hash,
            expires_at: now.plus_seconds(OIDC_SECONDS).unwrap_or(now),
        };
        self.store.begin_oidc(&begun).await?;
        Ok(OidcPage {
            token,
            url,
            expires_at: begun.expires_at,
        })
    }

    /// Signs in a person whom the identity provider has authenticated. The provider only replaces the password: a user
    /// with a second factor must still take the second step.
    ///
    /// # Errors
    /// [`Refusal::OidcInvalid`], [`Refusal::OidcFailed`], [`Refusal::ProviderUnavailable`]; [`Refusal::NotAllowed`] for
    /// a person whom the operator's rules refuse.
    pub async fn by_oidc(&self, visit: Visit, answer: &OidcAnswer) -> Result<FirstStep, AppError> {
        let identity = self.identity_of(answer).await?;
        for _ in 0..LOOKS {
            if let Some((user_id, version)) = self.linked_user(&visit, &identity).await?
                && let Some(step) = self.first_step(&visit, &user_id, version).await?
            {
                return Ok(step);
            }
        }
        Err(Refusal::busy(Object::User).into())
    }

    /// Returns the user of a person, and the version at which they are linked. Returns `None` if another request
    /// changed the user meanwhile.
    async fn linked_user(
        &self,
        visit: &Visit,
        identity: &Identity,
    ) -> Result<Option<(UserId, i64)>, AppError> {
        let (_, rules) = self.provider()?;
        let known = self.known(identity).await?;
        match rules.entry(identity, known)? {
            Entry::As(user_id) => {
                let (version, changes) = self.vouched_for(&user_id, identity).await?;
                // An end of all sign-ins may have removed the link before the version was read.
                let hash = self.identity_hash(identity);
                let linked = self.store.user_of_identity(&hash).await?;
                let is_entered = linked.as_ref() == Some(&user_id)
                    && (changes.is_empty() || self.commit_as(&user_id, visit, changes).await?);
                Ok(is_entered.then_some((user_id, version)))
            }
            Entry::LinkedTo(user_id) => {
                let (version, vouched) = self.vouched_for(&user_id, identity).await?;
                let link = self.identity_link(identity, &user_id);
                let mut changes = vec![UserChange::Link { link, version }];
                changes.extend(vouched);
                let is_linked = self.commit_as(&user_id, visit, changes).await?;
                Ok(is_linked.then_some((user_id, version)))
            }
            Entry::AsNewcomer => {
                let made = self.open_to(rules, visit, identity).await?;
                Ok(made.map(|user_id| (user_id, User::FIRST_VERSION)))
            }
        }
    }

    /// Returns the person whom the provider has authenticated. The sign-in in progress is used up, whatever the result.
    pub(super) async fn identity_of(&self, answer: &OidcAnswer) -> Result<Identity, AppError> {
        let (provider, _) = self.provider()?;
        let is_other = |issuer: &String| issuer != provider.issuer();
        if !is_state_of(&answer.token, &answer.state)
            || answer.issuer.as_ref().is_some_and(is_other)
        {
            return Err(Refusal::OidcInvalid.into());
        }
        let hash = self.base.seal.hash_api_key(&answer.token);
        if !self.store.take_oidc(&hash, self.base.now()).await? {
            return Err(Refusal::OidcInvalid.into());
        }
        let ties = OidcTies::from_token(&answer.token);
        let wall = self.base.clock.wall();
        let told = provider.identity(&answer.code, &answer.page, &ties, wall);
        told.await.map_err(refused)
    }

    pub(super) fn provider(&self) -> Result<(&dyn IdentityProvider, &OidcRules), AppError> {
        let found = self.oidc.as_ref();
        let found = found.map(|(provider, rules)| (provider.as_ref(), rules));
        found.ok_or_else(|| not_allowed("there is no identity provider here to sign in by"))
    }

    pub(super) fn identity_hash(&self, identity: &Identity) -> String {
        // Both values come from the provider, and neither contains a line break.
        let whole = format!("{}\n{}", identity.issuer, identity.subject);
        self.base.seal.hash_api_key(&SecretText::new(whole))
    }

    pub(super) fn identity_link(&self, identity: &Identity, user_id: &UserId) -> IdentityLink {
        IdentityLink {
            hash: self.identity_hash(identity),
            user_id: user_id.clone(),
            created_at: self.base.now(),
        }
    }

    async fn known(&self, identity: &Identity) -> Result<Known, AppError> {
        let hash = self.identity_hash(identity);
        if let Some(user_id) = self.store.user_of_identity(&hash).await? {
            return Ok(Known::Linked(user_id));
        }
        let Some(email) = &identity.email else {
            return Ok(Known::Nobody);
        };
        let Some(found) = self.users.sign_in_of(email).await? else {
            return Ok(Known::Nobody);
        };
        let is_linked = self.store.has_identity(&found.user_id).await?;
        // The same person may have signed in a second time and been linked since the first look-up.
        if is_linked && let Some(user_id) = self.store.user_of_identity(&hash).await? {
            return Ok(Known::Linked(user_id));
        }
        Ok(Known::Address {
            is_linked,
            has_password: found.password_hash.is_some(),
            user_id: found.user_id,
        })
    }

    /// Returns a user's version, and the changes by which a user without a password takes up all offered roles, if the
    /// provider vouches for the address that was invited. A password or a changed address proves nothing about it.
    async fn vouched_for(
        &self,
        user_id: &UserId,
        identity: &Identity,
    ) -> Result<(i64, Vec<UserChange>), AppError> {
        let user = self.store.user(user_id).await?;
        let user = user.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))?;
        let is_invited = identity.email.as_ref().is_some_and(|email| {
            let invited = &user.personal.email;
            email == invited || email.stored_before().as_ref() == Some(invited)
        });
        let changes = match user.password_hash {
            None if is_invited => self.users.taken_up(user_id, |_| true).await?,
            None | Some(_) => Vec::new(),
        };
        Ok((user.version, changes))
    }

    async fn commit_as(
        &self,
        user_id: &UserId,
        visit: &Visit,
        changes: Vec<UserChange>,
    ) -> Result<bool, AppError> {
        let actor = Actor::User(user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id.clone(), None);
        let account = self.users.account_of_own_change(user_id, &changes).await?;
        self.commit_newcomer(&origin, account.as_ref(), changes)
            .await
    }

    /// Creates the user of a new person. Returns `None` if another request created it meanwhile.
    async fn open_to(
        &self,
        rules: &OidcRules,
        visit: &Visit,
        identity: &Identity,
    ) -> Result<Option<UserId>, AppError> {
        let Some(email) = identity.email.clone() else {
            return Err(AppError::Broken("a new user has no address".to_owned()));
        };
        let user_id = UserId::generate(self.base.random.as_ref());
        let actor = Actor::User(user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id.clone(), None);
        let link = self.identity_link(identity, &user_id);
        let is_made = match &rules.newcomers {
            Newcomers::OwnAccount => {
                let opened = self
                    .users
                    .open_own_account(&origin, &user_id, &email, &link);
                opened.await?
            }
            Newcomers::Role { merchant_id, role } => {
                let made = self.user_with_role(&user_id, email, merchant_id, *role);
                let mut changes = made.await?;
                changes.push(UserChange::Link {
                    link,
                    version: User::FIRST_VERSION,
                });
                self.commit_newcomer(&origin, Some(merchant_id), changes)
                    .await?
            }
            Newcomers::Refused => {
                return Err(AppError::Broken(
                    "an unknown user was let through although newcomers are refused".to_owned(),
                ));
            }
        };
        Ok(is_made.then_some(user_id))
    }

    async fn user_with_role(
        &self,
        user_id: &UserId,
        email: Email,
        merchant_id: &MerchantId,
        role: Role,
    ) -> Result<Vec<UserChange>, AppError> {
        let Some(account) = self.accounts.merchant(merchant_id).await? else {
            tracing::error!(%merchant_id, "the merchant account that oidc_new_user_merchant names does not exist");
            return Err(not_allowed(
                "the account that you would be let in to does not exist: ask whoever operates the service",
            ));
        };
        let now = self.base.now();
        let user = User::create(user_id.clone(), merchant_id.clone(), email, None, now);
        let grant = Grant {
            user_id: user_id.clone(),
            organization_id: account.organization_id.clone(),
            merchant_id: merchant_id.clone(),
            role,
            created_at: now,
        };
        Ok(vec![
            UserChange::Insert(Box::new(user)),
            UserChange::Grant(grant),
        ])
    }

    /// Commits a new user. Returns false if another request of the same person or address was faster, or the user or an
    /// invitation changed.
    async fn commit_newcomer(
        &self,
        origin: &Origin,
        merchant_id: Option<&MerchantId>,
        changes: Vec<UserChange>,
    ) -> Result<bool, AppError> {
        let change_set = self.base.change_set(
            origin,
            merchant_id,
            ForKey::Nothing,
            storable(self.store.as_ref(), changes),
        );
        match self.base.commit(change_set).await {
            Ok(()) => Ok(true),
            Err(
                CommitError::Duplicate(duplicate::USER | duplicate::IDENTITY)
                | CommitError::Conflict,
            ) => Ok(false),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }
}

/// Logs the reason and hides it from the caller, because an honest user can't use it and a forger could.
fn refused(failure: ProviderFailure) -> AppError {
    match failure {
        ProviderFailure::Unavailable(why) => {
            tracing::error!(%why, "the identity provider can't be used");
            Refusal::ProviderUnavailable.into()
        }
        ProviderFailure::Rejected(why) => {
            tracing::warn!(%why, "a sign-in by the identity provider was refused");
            Refusal::OidcFailed.into()
        }
    }
}
