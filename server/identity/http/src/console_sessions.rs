//! Sessions of the console. Their token is in a cookie, which no script can read.

use dropshot::RequestContext;
use multirail_api::{ApiError, JsonAnswer, is_console_call};
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::this_machine;
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{FirstStep, SignedIn, Visit};
use multirail_identity_domain::SessionKind;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::tries::admit;
use super::visits::{place, visit};
use super::{identity, two_factor};

/// Signs a user in by the one way that the body has.
pub(crate) async fn begin(
    rqctx: &RequestContext<Context>,
    body: &types::ConsoleSessionBeginRequest,
) -> ApiResult<types::ConsoleSession> {
    let types::ConsoleSessionBeginRequest {
        password,
        second_step,
        link,
    } = body;
    let step = match (password, second_step, link) {
        (Some(asked), None, None) => by_password(rqctx, asked).await?,
        (None, Some(asked), None) => {
            let signed_in = two_factor::second_step(rqctx, asked, console_visit(rqctx));
            FirstStep::SignedIn(signed_in.await?)
        }
        (None, None, Some(asked)) => by_link(rqctx, asked).await?,
        (None, None, None) => {
            return Err(ApiError::missing("password, second_step or link"));
        }
        (Some(_), _, _) | (None, Some(_), Some(_)) => {
            let message = "password, second_step, link: only one of them can be given";
            return Err(ApiError::invalid(message));
        }
    };
    match step {
        FirstStep::SignedIn(signed_in) => {
            let sign_ins = &identity(rqctx)?.sign_ins;
            sign_ins.remember_place(&signed_in, &place(rqctx)).await;
            end_former(rqctx).await?;
            begun(rqctx, &signed_in)
        }
        FirstStep::SecondStep(asked) => Ok(JsonAnswer::new(types::ConsoleSession {
            status: types::ConsoleSessionStatus::SecondStepRequired,
            second_step_token: Some(asked.expose().to_owned()),
            expires_at: None,
        })),
    }
}

/// Ends the session of the cookie that the call came with. The answer replaces the cookie, so nobody could end it later.
async fn end_former(rqctx: &RequestContext<Context>) -> Result<(), ApiError> {
    let request = &rqctx.request;
    let is_by_cookie = is_console_call(request.uri().path());
    let token = rqctx.context().console.token(request.headers());
    let Some(token) = token.filter(|_| is_by_cookie) else {
        return Ok(());
    };
    let sessions = &identity(rqctx)?.sessions;
    let ended = sessions.end_by_cookie(rqctx.request_id.clone(), token);
    ended.await.map_err(api_error)
}

/// Returns the answer that sets the cookie of a new session.
pub(crate) fn begun(
    rqctx: &RequestContext<Context>,
    signed_in: &SignedIn,
) -> ApiResult<types::ConsoleSession> {
    let seconds = SessionKind::Console.longest_seconds();
    let console = &rqctx.context().console;
    let cookie = console.session_cookie(&signed_in.token, seconds);
    let cookie = cookie.ok_or_else(ApiError::unknown_route)?;
    let answer = JsonAnswer::new(types::ConsoleSession {
        status: types::ConsoleSessionStatus::SignedIn,
        second_step_token: None,
        expires_at: Some(Timestamp::to_datetime(signed_in.session.expires_at)),
    });
    Ok(answer.with_cookie(cookie))
}

/// Returns the request's id and client, for a session of the console.
pub(crate) fn console_visit(rqctx: &RequestContext<Context>) -> Visit {
    Visit {
        kind: SessionKind::Console,
        ..visit(rqctx)
    }
}

async fn by_password(
    rqctx: &RequestContext<Context>,
    asked: &types::UserSignInRequest,
) -> Result<FirstStep, ApiError> {
    let types::UserSignInRequest { email, password } = asked;
    admit(rqctx, email).await?;
    let password = SecretText::new(password.expose());
    let sign_ins = &identity(rqctx)?.sign_ins;
    let step = sign_ins.by_password(console_visit(rqctx), email, &password);
    step.await.map_err(api_error)
}

/// Signs in by the link of a sandbox. Its token is in a terminal, so it is valid on the same machine only.
async fn by_link(
    rqctx: &RequestContext<Context>,
    asked: &types::ConsoleLinkRequest,
) -> Result<FirstStep, ApiError> {
    let types::ConsoleLinkRequest { token } = asked;
    admit(rqctx, token.expose()).await?;
    if !rqctx.context().is_sandbox || !this_machine::is_client(rqctx) {
        return Err(refused(Refusal::PasswordLinkInvalid));
    }
    let token = SecretText::new(token.expose());
    let sign_ins = &identity(rqctx)?.sign_ins;
    let step = sign_ins.by_link(console_visit(rqctx), &token).await;
    step.map_err(api_error)
}
