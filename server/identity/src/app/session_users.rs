//! The users of tokens: the meaning of a token is looked up at every use, so that an ended sign-in is invalid everywhere.

use multirail_app::platform::ports::TokenClaims;
use multirail_identity_domain::{Role, SessionKind, UserSession, role_in};
use multirail_kernel::ids::SessionId;

use super::{AppError, Sessions, UserCaller};

impl Sessions {
    /// Returns the user of a token. Returns `None` for a foreign, expired or ended token, and for a user without a role
    /// there. `is_use` is false for a call that isn't recorded as a use of the session.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn user_of_token(
        &self,
        token: &str,
        is_use: bool,
    ) -> Result<Option<UserCaller>, AppError> {
        self.user_of(token, SessionKind::Token, is_use).await
    }

    /// Returns the user of the console's cookie, as [`Sessions::user_of_token`] does for other tokens. Neither token is
    /// valid in the other's place.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn user_of_cookie(
        &self,
        token: &str,
        is_use: bool,
    ) -> Result<Option<UserCaller>, AppError> {
        self.user_of(token, SessionKind::Console, is_use).await
    }

    /// Returns the user of a session whose token was checked before. Returns `None` where [`Sessions::user_of_token`]
    /// does. The look-up doesn't count as a use of the session.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn user_of_session(
        &self,
        session_id: &SessionId,
    ) -> Result<Option<UserCaller>, AppError> {
        let found = self.store.user_session(session_id).await?;
        let now = self.base.now();
        let Some(session) = found.filter(|session| !session.is_over(now)) else {
            return Ok(None);
        };
        match self.role_of(&session).await? {
            Some(role) => self.acting(session, role).await.map(Some),
            None => Ok(None),
        }
    }

    async fn user_of(
        &self,
        token: &str,
        kind: SessionKind,
        is_use: bool,
    ) -> Result<Option<UserCaller>, AppError> {
        let is_of_kind =
            |claims: &TokenClaims| claims.is_for_console == (kind == SessionKind::Console);
        let Some(claims) = self.tokens.read(token).filter(is_of_kind) else {
            return Ok(None);
        };
        let Ok(session_id) = SessionId::parse(&claims.session_id) else {
            return Ok(None);
        };
        let found = self.store.user_session(&session_id).await?;
        let now = self.base.now();
        let is_good = |session: &UserSession| {
            claims.exp > now.unix_seconds()
                && !session.is_over(now)
                && claims.user_id == session.user_id.as_str()
        };
        let Some(session) = found.filter(is_good) else {
            return Ok(None);
        };
        let Some(role) = self.role_of(&session).await? else {
            return Ok(None);
        };
        if is_use && session.notes_use(kind, now) {
            let expires_at = kind.expires_at(session.created_at, now);
            let noted = self
                .store
                .note_session_used(&session.session_id, now, expires_at);
            // A failure to record the use must not lock the user out.
            if let Err(error) = noted.await {
                tracing::debug!(%error, "the use of a sign-in could not be recorded");
            }
        }
        self.acting(session, role).await.map(Some)
    }

    /// Returns the user's role where the session acts; `None` if the account was closed meanwhile.
    async fn role_of(&self, session: &UserSession) -> Result<Option<Role>, AppError> {
        if self
            .accounts
            .merchant(&session.merchant_id)
            .await?
            .is_none()
        {
            return Ok(None);
        }
        let grants = self.store.grants(&session.user_id).await?;
        Ok(role_in(
            &grants,
            &session.organization_id,
            &session.merchant_id,
        ))
    }

    async fn acting(&self, session: UserSession, role: Role) -> Result<UserCaller, AppError> {
        let (user_id, merchant_id) = (&session.user_id, &session.merchant_id);
        let lacks_second_factor = self.store.lacks_second_factor(user_id, merchant_id);
        let lacks_second_factor = lacks_second_factor.await?;
        Ok(UserCaller {
            session_id: session.session_id,
            user_id: session.user_id,
            organization_id: session.organization_id,
            merchant_id: session.merchant_id,
            profile_id: session.profile_id,
            role,
            lacks_second_factor,
        })
    }
}
