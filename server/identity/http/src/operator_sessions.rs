//! Sessions of the operator at the console. They are begun by the admin key, which the browser forgets afterwards.

use dropshot::RequestContext;
use http::StatusCode;
use multirail_api::{ApiError, INVALID_REQUEST, JsonAnswer, PlainText};
use multirail_http::platform::errors::api_error;
use multirail_http::{ApiResult, Context};
use multirail_identity_domain::OPERATOR_SECONDS;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::tries::admit_from;
use super::{console_sessions, identity, signed_out};

/// Begins a session of the operator. Tries are counted by their place only, so that nobody can lock the operator out.
pub(crate) async fn begin(
    rqctx: &RequestContext<Context>,
    asked: &types::ConsoleOperatorRequest,
) -> ApiResult<types::ConsoleSession> {
    admit_from(rqctx)?;
    let context = rqctx.context();
    if !context.admin_keys.include(asked.admin_api_key.expose()) {
        return Err(wrong_key());
    }
    let key = SecretText::new(asked.admin_api_key.expose());
    let sessions = &identity(rqctx)?.sessions;
    let begun = sessions
        .begin_operator(rqctx.request_id.clone(), &key)
        .await;
    let (token, session) = begun.map_err(api_error)?;
    console_sessions::end_former(rqctx).await?;
    let cookie = context.console.session_cookie(&token, OPERATOR_SECONDS);
    let cookie = cookie.ok_or_else(ApiError::unknown_route)?;
    let answer = JsonAnswer::new(types::ConsoleSession {
        status: types::ConsoleSessionStatus::SignedIn,
        second_step_token: None,
        expires_at: Some(Timestamp::to_datetime(session.expires_at)),
        screen: None,
    });
    Ok(answer.with_cookie(cookie))
}

/// Ends the session of the cookie that the call came with. A call with the admin key has none.
pub(crate) async fn end(rqctx: &RequestContext<Context>) -> Result<PlainText, ApiError> {
    console_sessions::end_former(rqctx).await?;
    Ok(signed_out::answer(rqctx))
}

/// 401 `IR_01`: the text is no admin key.
fn wrong_key() -> ApiError {
    let message = "`admin_api_key` is not the admin key of this server.";
    ApiError::new(StatusCode::UNAUTHORIZED, INVALID_REQUEST, "IR_01", message)
}
