//! Lists and ends a user's own sign-ins.

use multirail_app::Origin;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{SignInClient, UserSession};
use multirail_kernel::ids::SessionId;
use multirail_kernel::refusal::{Object, Refusal};

use super::AppError;
use super::sessions::{Sessions, UserCaller};
use crate::ports::UserChange;

/// The maximum number of listed sign-ins.
const LISTED: i64 = 100;

/// A user's view of their sign-in.
pub struct OwnSession {
    pub session: UserSession,
    pub client: SignInClient,
    /// True if the request used this sign-in.
    pub is_current: bool,
}

impl Sessions {
    /// Returns the caller's valid sign-ins: the newest hundred, newest first.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn list(&self, caller: &UserCaller) -> Result<Vec<OwnSession>, AppError> {
        let now = self.base.now();
        let found = self.store.user_sessions(&caller.user_id, now, LISTED);
        let own = |(session, client): (UserSession, SignInClient)| OwnSession {
            is_current: session.session_id == caller.session_id,
            session,
            client,
        };
        Ok(found.await?.into_iter().map(own).collect())
    }

    /// Ends one sign-in of the caller. After the commit its token is invalid on every server.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if it isn't a valid sign-in of the caller.
    pub async fn end_one(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        session_id: &SessionId,
    ) -> Result<(), AppError> {
        let found = self.store.user_session(session_id).await?;
        let now = self.base.now();
        let is_his =
            |session: &UserSession| session.user_id == caller.user_id && !session.is_over(now);
        let unknown = || Refusal::not_found(Object::UserSession);
        let session = found.filter(is_his).ok_or_else(unknown)?;
        match self.end(origin, caller, &session.session_id).await? {
            true => Ok(()),
            false => Err(unknown().into()),
        }
    }

    /// Ends a sign-in of the caller. Returns false if it ended meanwhile, or another one has replaced it.
    pub(super) async fn end(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        session_id: &SessionId,
    ) -> Result<bool, AppError> {
        let change = UserChange::EndSession {
            user_id: caller.user_id.clone(),
            session_id: session_id.clone(),
        };
        let merchant_id = &caller.merchant_id;
        match self.commit_change(origin, merchant_id, change).await {
            Ok(()) => Ok(true),
            Err(CommitError::Conflict) => Ok(false),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Ends the session of the console's cookie, if it is valid, whoever its user is.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn end_by_cookie(&self, request_id: String, token: &str) -> Result<(), AppError> {
        let Some(caller) = self.user_of_cookie(token, true).await? else {
            return Ok(());
        };
        let actor = Actor::User(caller.user_id.to_string());
        let origin = Origin::of_request(actor, request_id, None);
        self.end(&origin, &caller, &caller.session_id).await?;
        Ok(())
    }

    /// Ends all sign-ins of the caller except the current one.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn end_others(&self, origin: &Origin, caller: &UserCaller) -> Result<(), AppError> {
        let change = UserChange::EndSessions {
            user_id: caller.user_id.clone(),
            except: Some(caller.session_id.clone()),
        };
        let merchant_id = &caller.merchant_id;
        let committed = self.commit_change(origin, merchant_id, change).await;
        committed.map_err(AppError::of_commit)
    }
}
