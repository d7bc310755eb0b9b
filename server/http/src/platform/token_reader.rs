//! The port that reads users' tokens.

use async_trait::async_trait;
use multirail_api::User;
use multirail_app::AppError;

/// Finds the users of tokens. The subject with sign-ins implements it.
#[async_trait]
pub trait TokenReader: Send + Sync {
    /// Returns the user of a token as they signed in, whatever the call is narrowed to; `None` for an invalid token.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read(&self, token: &str) -> Result<Option<User>, AppError>;

    /// Returns the user of a token from the console's cookie, likewise.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read_cookie(&self, token: &str) -> Result<Option<User>, AppError>;
}
