//! The port through which the frame learns who signed in.

use async_trait::async_trait;
use multirail_api::User;
use multirail_app::AppError;

/// Knows the users behind tokens. The subject that has sign-ins fills it in.
#[async_trait]
pub trait TokenReader: Send + Sync {
    /// Returns the user of a token as they signed in, whatever the call is narrowed to; nothing where the token is good for
    /// nothing.
    ///
    /// # Errors
    /// Only where a store fails.
    async fn read(&self, token: &str) -> Result<Option<User>, AppError>;
}
