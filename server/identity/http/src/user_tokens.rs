//! Users' tokens, as the frame checks them.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_api::User;
use multirail_app::AppError;
use multirail_http::platform::admin_keys::AdminKeys;
use multirail_http::platform::token_reader::{TokenReader, Use};
use multirail_identity::app::Sessions;
use multirail_identity_domain::OPERATOR_TOKEN_PREFIX;
use multirail_kernel::ids::SessionId;

use super::callers;

/// Finds users by the sign-ins of their tokens.
pub struct UserTokens(pub Arc<Sessions>);

#[async_trait]
impl TokenReader for UserTokens {
    async fn read(&self, token: &str, used: Use) -> Result<Option<User>, AppError> {
        let found = self.0.user_of_token(token, counts(used)).await?;
        Ok(found.map(callers::principal))
    }

    async fn read_cookie(&self, token: &str, used: Use) -> Result<Option<User>, AppError> {
        let found = self.0.user_of_cookie(token, counts(used)).await?;
        Ok(found.map(callers::principal))
    }

    fn is_operators(&self, token: &str) -> bool {
        token.starts_with(OPERATOR_TOKEN_PREFIX)
    }

    async fn read_operators(&self, token: &str, keys: &AdminKeys) -> Result<bool, AppError> {
        self.0.is_of_operator(token, &keys.all()).await
    }

    async fn read_session(&self, session_id: &str) -> Result<Option<User>, AppError> {
        let Ok(session_id) = SessionId::parse(session_id) else {
            return Ok(None);
        };
        let found = self.0.user_of_session(&session_id).await?;
        Ok(found.map(callers::principal))
    }
}

fn counts(used: Use) -> bool {
    match used {
        Use::Counts => true,
        Use::CountsNot => false,
    }
}
