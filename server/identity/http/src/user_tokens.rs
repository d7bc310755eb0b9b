//! Users' tokens, as the frame checks them.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_api::User;
use multirail_app::AppError;
use multirail_http::platform::token_reader::TokenReader;
use multirail_identity::app::Sessions;

use super::callers;

/// Finds users by the sign-ins of their tokens.
pub struct UserTokens(pub Arc<Sessions>);

#[async_trait]
impl TokenReader for UserTokens {
    async fn read(&self, token: &str) -> Result<Option<User>, AppError> {
        let found = self.0.user_of_token(token).await?;
        Ok(found.map(callers::principal))
    }

    async fn read_cookie(&self, token: &str) -> Result<Option<User>, AppError> {
        let found = self.0.user_of_cookie(token).await?;
        Ok(found.map(callers::principal))
    }
}
