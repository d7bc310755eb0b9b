//! Sign-ins: their beginning, their end, and the way to another merchant account.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::accounts::ports::MerchantStore;
use multirail_app::platform::base::Base;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{CommitError, TokenClaims, Tokens};
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{Grant, Role, SessionKind, SignInClient, UserSession, role_in};
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId, SessionId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::{AppError, not_allowed, storable};
use crate::ports::{UserChange, UserStore};

#[cfg(test)]
mod tests;

/// A user who has just signed in.
pub struct SignedIn {
    /// Shown once.
    pub token: SecretText,
    pub session: UserSession,
}

/// A caller with a valid token, and the account in which they act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCaller {
    pub session_id: SessionId,
    pub user_id: UserId,
    pub organization_id: OrganizationId,
    pub merchant_id: MerchantId,
    pub profile_id: Option<ProfileId>,
    /// The role in that merchant account.
    pub role: Role,
    /// True if the account requires a second factor, which the user has to set up before anything else.
    pub lacks_second_factor: bool,
}

/// The use cases of sign-ins: the tokens of users, and their end.
pub struct Sessions {
    pub base: Arc<Base>,
    pub store: Arc<dyn UserStore>,
    pub accounts: Arc<dyn MerchantStore>,
    pub tokens: Arc<dyn Tokens>,
}

impl Sessions {
    /// Ends the sign-in. After the commit its token is invalid on every server.
    ///
    /// # Errors
    /// [`Refusal::SessionOver`] if it ended meanwhile, or another one has replaced it, which goes on.
    pub async fn sign_out(&self, origin: &Origin, caller: &UserCaller) -> Result<(), AppError> {
        match self.end(origin, caller, &caller.session_id).await? {
            true => Ok(()),
            false => Err(Refusal::SessionOver.into()),
        }
    }

    /// Signs the user in to another merchant account in which they have a role. The former session ends where
    /// `is_replaced`, because its cookie is; a token stays valid.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], also if the user has no role there; [`Refusal::SessionOver`] if the former session has
    /// just ended.
    pub async fn switch_merchant(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        merchant_id: &MerchantId,
        (client, kind): (SignInClient, SessionKind),
        is_replaced: bool,
    ) -> Result<SignedIn, AppError> {
        let unknown = || Refusal::not_found(Object::MerchantAccount);
        let account = self.accounts.merchant(merchant_id).await?;
        let account = account.ok_or_else(unknown)?;
        // The version is read first, so that a role that ends after it is a conflict. If all sign-ins ended before, the
        // former one isn't found.
        let version = self.version_of(&caller.user_id).await?;
        let grants = self.store.grants(&caller.user_id).await?;
        let role = role_in(&grants, &account.organization_id, merchant_id);
        let role = role.ok_or_else(unknown)?;
        let session = self.begin_for(&caller.user_id, &account, kind);
        let former = caller.session_id.clone();
        let (session, change) = match is_replaced {
            true => self.in_place_of(former, session, (client, version)).await?,
            false => self.beside(&former, session, (client, version)).await?,
        };
        match self.commit_change(origin, merchant_id, change).await {
            Ok(()) => Ok(self.signed_in(session, role)),
            Err(CommitError::Conflict) => Err(Refusal::SessionOver.into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns a session that is added to the former one, and the change that stores it.
    async fn beside(
        &self,
        former: &SessionId,
        session: UserSession,
        (client, version): (SignInClient, i64),
    ) -> Result<(UserSession, UserChange), AppError> {
        if self.store.user_session(former).await?.is_none() {
            return Err(Refusal::SessionOver.into());
        }
        let change = UserChange::OpenSession {
            session: session.clone(),
            client,
            version,
        };
        Ok((session, change))
    }

    /// Returns a session that continues the sign-in of the former one, and the change that stores it. Otherwise a user
    /// could stay signed in for good by switching.
    async fn in_place_of(
        &self,
        former: SessionId,
        session: UserSession,
        (client, version): (SignInClient, i64),
    ) -> Result<(UserSession, UserChange), AppError> {
        let found = self.store.user_session(&former).await?;
        let begun_at = found.ok_or(Refusal::SessionOver)?.created_at;
        let session = UserSession {
            expires_at: session.kind.expires_at(begun_at, session.created_at),
            created_at: begun_at,
            ..session
        };
        let change = UserChange::ReplaceSession {
            former,
            session: session.clone(),
            client,
            version,
        };
        Ok((session, change))
    }

    /// Returns the version of a user, at which a later step can be stored.
    pub(super) async fn version_of(&self, user_id: &UserId) -> Result<i64, AppError> {
        let found = self.store.user_version(user_id).await?;
        found.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))
    }

    /// Returns the sign-in of a user with these roles who was checked at this version, and the change that stores it.
    pub(super) async fn begin(
        &self,
        (user_id, version): (&UserId, i64),
        grants: &[Grant],
        (client, kind): (SignInClient, SessionKind),
    ) -> Result<(SignedIn, UserChange), AppError> {
        let (account, role) = self.where_to_begin(grants).await?;
        let session = self.begin_for(user_id, &account, kind);
        let open = UserChange::OpenSession {
            session: session.clone(),
            client,
            version,
        };
        Ok((self.signed_in(session, role), open))
    }

    /// Returns the account in which the sign-in of a user with these roles begins, and their role there: the account
    /// that they started in, or else their first one that isn't closed.
    pub(super) async fn where_to_begin(
        &self,
        grants: &[Grant],
    ) -> Result<(Arc<MerchantAccount>, Role), AppError> {
        let found = self.first_open(grants).await?;
        found.ok_or_else(|| {
            not_allowed("there is no merchant account any more in which you have a role")
        })
    }

    /// Returns the account as [`Sessions::where_to_begin`] does, or `None` if there is none.
    pub(super) async fn first_open(
        &self,
        grants: &[Grant],
    ) -> Result<Option<(Arc<MerchantAccount>, Role)>, AppError> {
        for grant in grants {
            let mut found = self.accounts.merchant(&grant.merchant_id).await?;
            if found.is_none() && grant.role.is_of_organization() {
                let another = self.store.first_account(&grant.organization_id).await?;
                found = match another {
                    Some(merchant_id) => self.accounts.merchant(&merchant_id).await?,
                    None => None,
                };
            }
            if let Some(account) = found {
                let role = role_in(grants, &account.organization_id, &account.merchant_id);
                return Ok(role.map(|role| (account, role)));
            }
        }
        Ok(None)
    }

    /// Commits a change to the sessions of a user in the merchant account.
    pub(super) async fn commit_change(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        change: UserChange,
    ) -> Result<(), CommitError> {
        let change_set = self.base.change_set(
            origin,
            Some(merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), [change]),
        );
        self.base.commit(change_set).await
    }

    pub(super) fn begin_for(
        &self,
        user_id: &UserId,
        account: &MerchantAccount,
        kind: SessionKind,
    ) -> UserSession {
        let now = self.base.now();
        UserSession {
            session_id: SessionId::generate(self.base.random.as_ref()),
            kind,
            user_id: user_id.clone(),
            organization_id: account.organization_id.clone(),
            merchant_id: account.merchant_id.clone(),
            profile_id: account.default_profile.clone(),
            created_at: now,
            expires_at: kind.expires_at(now, now),
            last_used_at: None,
        }
    }

    pub(super) fn signed_in(&self, session: UserSession, role: Role) -> SignedIn {
        let kind = session.kind;
        let claims = TokenClaims {
            session_id: session.session_id.to_string(),
            user_id: session.user_id.to_string(),
            merchant_id: session.merchant_id.to_string(),
            role_id: role.to_string(),
            org_id: session.organization_id.to_string(),
            profile_id: session.profile_id.as_ref().map(ToString::to_string),
            is_for_console: kind == SessionKind::Console,
            exp: kind.last_moment(session.created_at).unix_seconds(),
        };
        SignedIn {
            token: self.tokens.sign(&claims),
            session,
        }
    }
}
