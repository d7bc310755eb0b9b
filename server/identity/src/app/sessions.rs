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

#[cfg(test)]
mod tests {
    use multirail_app::fixture::{Committed, NOW, base, operator};
    use multirail_kernel::timestamp::Timestamp;

    use super::*;
    use crate::fixture::{OneAccount, Open, Stored, account};

    /// Makes the service with one token: its user has this role in the bookshop, and its sign-in ends in `ends_in`
    /// seconds.
    fn service(role: Option<Role>, ends_in: i64) -> Sessions {
        stored_service(role, ends_in).0
    }

    fn stored_service(role: Option<Role>, ends_in: i64) -> (Sessions, Arc<Stored>) {
        let account = account();
        let at = |seconds: i64| Timestamp::from_micros((NOW + seconds) * 1_000_000);
        let user_id = UserId::parse("user_1").expect("an id");
        let session = UserSession {
            session_id: SessionId::parse("ses_1").expect("an id"),
            kind: SessionKind::Token,
            user_id: user_id.clone(),
            organization_id: account.organization_id.clone(),
            merchant_id: account.merchant_id.clone(),
            profile_id: None,
            created_at: at(-10),
            expires_at: at(ends_in),
            last_used_at: None,
        };
        let claims = TokenClaims {
            session_id: "ses_1".to_owned(),
            user_id: user_id.to_string(),
            merchant_id: account.merchant_id.to_string(),
            role_id: "org_admin".to_owned(),
            org_id: account.organization_id.to_string(),
            profile_id: None,
            is_for_console: false,
            exp: NOW + 1_000,
        };
        let grant = role.map(|role| Grant {
            user_id,
            organization_id: account.organization_id.clone(),
            merchant_id: account.merchant_id.clone(),
            role,
            created_at: at(-10),
        });
        let store = Arc::new(Stored::default());
        store.sessions.lock().expect("no panic").push(session);
        store.grants.lock().expect("no panic").extend(grant);
        let sessions = Sessions {
            base: base(&Arc::new(Committed::default())),
            store: store.clone(),
            accounts: Arc::new(OneAccount(account)),
            tokens: Arc::new(Open(claims)),
        };
        (sessions, store)
    }

    /// The current role counts, not the one in the token. A use that can't be recorded locks nobody out.
    #[tokio::test]
    async fn a_token_opens_what_its_user_may_do_now() {
        let sessions = service(Some(Role::MerchantViewOnly), 100);
        let caller = sessions
            .user_of_token("ses_1", true)
            .await
            .expect("a store");
        assert_eq!(caller.expect("a user").role, Role::MerchantViewOnly);
    }

    /// The sign-in itself goes on, so that the user can set the factor up.
    #[tokio::test]
    async fn a_token_says_whether_its_user_lacks_a_second_factor() {
        let (sessions, store) = stored_service(Some(Role::MerchantViewOnly), 100);
        for lacks in [false, true] {
            *store.lacks_second_factor.lock().expect("no panic") = lacks;
            let caller = sessions
                .user_of_token("ses_1", true)
                .await
                .expect("a store");
            assert_eq!(caller.expect("a user").lacks_second_factor, lacks);
        }
    }

    /// A stream of changes asks again and again, long after the token was read.
    #[tokio::test]
    async fn a_session_is_looked_up_without_its_token() {
        let ses = |name: &str| SessionId::parse(name).expect("an id");
        let role = Some(Role::MerchantOperator);
        let found = service(role, 100).user_of_session(&ses("ses_1")).await;
        assert_eq!(found.expect("a store").map(|user| user.role), role);
        for (role, ends_in, name) in [
            (role, 0, "ses_1"),
            (role, 100, "ses_2"),
            (None, 100, "ses_1"),
        ] {
            let found = service(role, ends_in).user_of_session(&ses(name)).await;
            assert_eq!(found.expect("a store"), None);
        }
    }

    /// A stolen cookie is no bearer's token, and a token never comes from a cookie.
    #[tokio::test]
    async fn a_token_is_not_valid_as_a_cookie() {
        let sessions = service(Some(Role::OrgAdmin), 100);
        let found = sessions.user_of_cookie("ses_1", true).await;
        assert_eq!(found.expect("a store"), None);
    }

    /// The change ends exactly the session that was read, or nothing is stored.
    #[tokio::test]
    async fn a_session_that_ends_while_it_switches_leaves_no_other_one() {
        let committed = Arc::new(Committed::default());
        let sessions = Sessions {
            base: base(&committed),
            ..service(Some(Role::OrgAdmin), 100)
        };
        let caller = sessions
            .user_of_token("ses_1", true)
            .await
            .expect("a store");
        let caller = caller.expect("a user");
        let origin = operator();
        let there = account().merchant_id;
        let switch = async || {
            let asked = (SignInClient::default(), SessionKind::Console);
            let switched = sessions.switch_merchant(&origin, &caller, &there, asked, true);
            switched.await
        };
        committed.refuse(CommitError::Conflict);
        let refused = switch().await.err();
        let is_over = |error: Option<AppError>| {
            matches!(error, Some(AppError::Refused(Refusal::SessionOver)))
        };
        assert!(is_over(refused));
        assert_eq!(committed.lines(), Vec::<String>::new());
        let switched = switch().await.expect("a session");
        assert_ne!(switched.session.session_id, caller.session_id);
        let lines = committed.lines();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[1].contains("ReplaceSession"), "{lines:?}");
        // A token stays valid beside the new session, which is refused in the same way.
        let beside = async || {
            let asked = (SignInClient::default(), SessionKind::Token);
            let switched = sessions.switch_merchant(&origin, &caller, &there, asked, false);
            switched.await
        };
        committed.refuse(CommitError::Conflict);
        assert!(is_over(beside().await.err()));
        beside().await.expect("a session");
        let lines = committed.lines();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[3].contains("OpenSession"), "{lines:?}");
        // The session was replaced meanwhile, and the new one goes on.
        committed.refuse(CommitError::Conflict);
        let refused = sessions.sign_out(&origin, &caller).await.err();
        assert!(is_over(refused));
    }

    #[tokio::test]
    async fn a_token_whose_sign_in_or_role_is_gone_opens_nothing() {
        for (role, ends_in, token) in [
            (None, 100, "ses_1"),
            (Some(Role::OrgAdmin), 0, "ses_1"),
            (Some(Role::OrgAdmin), 100, "ses_2"),
        ] {
            let found = service(role, ends_in).user_of_token(token, true).await;
            assert_eq!(found.expect("a store"), None);
        }
    }
}
