//! The port that reads users' tokens.

use async_trait::async_trait;
use multirail_api::User;
use multirail_app::AppError;

use super::admin_keys::AdminKeys;

/// The effect of a call on its session. A session of the console ends if no call counts as its use for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Counts,
    /// Programs make the call by themselves, whether or not a person is there.
    CountsNot,
}

/// Finds the users of tokens. The subject with sign-ins implements it.
#[async_trait]
pub trait TokenReader: Send + Sync {
    /// Returns the user of a token as they signed in, whatever the call is narrowed to; `None` for an invalid token.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read(&self, token: &str, used: Use) -> Result<Option<User>, AppError>;

    /// Returns the user of a token from the console's cookie, likewise.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read_cookie(&self, token: &str, used: Use) -> Result<Option<User>, AppError>;

    /// Returns whether a token from the console's cookie is one of the operator's, valid or not.
    fn is_operators(&self, token: &str) -> bool;

    /// Returns whether the operator's token is valid, and begun by one of these keys.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read_operators(&self, token: &str, keys: &AdminKeys) -> Result<bool, AppError>;

    /// Returns the user of a session as they are now; `None` if the session has ended. The look-up doesn't count as
    /// a use of the session.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read_session(&self, session_id: &str) -> Result<Option<User>, AppError>;
}
