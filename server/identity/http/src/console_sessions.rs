//! Sessions of the console. Their token is in a cookie, which no script can read.
//!
//! A sign-in by the identity provider has a cookie too, until it is finished. It binds the provider's answer to the
//! browser that began, and the browser doesn't send it with the provider's redirect. So the page finishes by a call.

use dropshot::RequestContext;
use multirail_api::{ApiError, JsonAnswer, is_console_call};
use multirail_http::platform::begun_oidc::BegunOidc;
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::this_machine;
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{FirstStep, OidcAnswer, SignedIn, TrySubject, Visit};
use multirail_identity::ports::ReturnPage;
use multirail_identity_domain::{OIDC_SECONDS, SessionKind};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::tries::{admit, admit_from};
use super::visits::{place, visit};
use super::{identity, operator_sessions, two_factor};

/// Signs a user in by the one way that the body has.
pub(crate) async fn begin(
    rqctx: &RequestContext<Context>,
    body: &types::ConsoleSessionBeginRequest,
) -> ApiResult<types::ConsoleSession> {
    let types::ConsoleSessionBeginRequest {
        password,
        second_step,
        link,
        oidc,
        operator,
    } = body;
    let (step, screen) = match (password, second_step, link, oidc, operator) {
        (Some(asked), None, None, None, None) => (by_password(rqctx, asked).await?, None),
        (None, Some(asked), None, None, None) => {
            let signed_in = two_factor::second_step(rqctx, asked, console_visit(rqctx));
            (FirstStep::SignedIn(signed_in.await?), None)
        }
        (None, None, Some(asked), None, None) => (by_link(rqctx, asked).await?, None),
        (None, None, None, Some(asked), None) => {
            let (step, screen) = by_oidc(rqctx, asked).await?;
            (step, Some(screen))
        }
        (None, None, None, None, Some(asked)) => {
            return operator_sessions::begin(rqctx, asked).await;
        }
        (None, None, None, None, None) => {
            let ways = "password, second_step, link, oidc or operator";
            return Err(ApiError::missing(ways));
        }
        _ => {
            let message =
                "password, second_step, link, oidc, operator: only one of them can be given";
            return Err(ApiError::invalid(message));
        }
    };
    match step {
        FirstStep::SignedIn(signed_in) => {
            let sign_ins = &identity(rqctx)?.sign_ins;
            sign_ins.remember_place(&signed_in, &place(rqctx)).await;
            end_former(rqctx).await?;
            begun(rqctx, &signed_in, screen)
        }
        FirstStep::SecondStep(asked) => Ok(JsonAnswer::new(types::ConsoleSession {
            status: types::ConsoleSessionStatus::SecondStepRequired,
            second_step_token: Some(asked.expose().to_owned()),
            expires_at: None,
            screen,
        })),
    }
}

/// Begins a sign-in by the identity provider, which sends the browser back to the console. The token that finishes it is
/// in a cookie only.
pub(crate) async fn begin_oidc(
    rqctx: &RequestContext<Context>,
    body: types::ConsoleOidcBeginRequest,
) -> ApiResult<types::ConsoleOidcBegun> {
    admit_from(rqctx)?;
    let page = return_page(rqctx)?;
    let begun = identity(rqctx)?.sign_ins.begin_oidc(&page).await;
    let begun = begun.map_err(api_error)?;
    let kept = BegunOidc {
        token: begun.token,
        screen: body.screen,
    };
    let cookie = rqctx.context().console.oidc_cookie(&kept, OIDC_SECONDS);
    let cookie = cookie.ok_or_else(ApiError::unknown_route)?;
    let answer = JsonAnswer::new(types::ConsoleOidcBegun {
        auth_url: begun.url.expose().to_owned(),
        expires_at: Timestamp::to_datetime(begun.expires_at),
    });
    Ok(answer.with_cookie(cookie))
}

/// Returns the sign-in by the identity provider that the browser has begun, whose cookie counts for calls of the console.
///
/// # Errors
/// 401 `IR_17`: this browser has begun none.
pub(crate) fn begun_oidc(rqctx: &RequestContext<Context>) -> Result<BegunOidc, ApiError> {
    let request = &rqctx.request;
    let begun = rqctx.context().console.begun_oidc(request.headers());
    let begun = begun.filter(|_| is_console_call(request.uri().path()));
    begun.ok_or_else(|| refused(Refusal::OidcInvalid))
}

/// Returns the console's page to which the identity provider sends browsers back.
pub(crate) fn return_page(rqctx: &RequestContext<Context>) -> Result<ReturnPage, ApiError> {
    let context = rqctx.context();
    let address = context.console.return_address(&context.public_url);
    let address = address.ok_or_else(ApiError::unknown_route)?;
    Ok(ReturnPage::Console(address))
}

/// Ends the session of the cookie that the call came with. The answer replaces the cookie, so nobody could end it later.
pub(crate) async fn end_former(rqctx: &RequestContext<Context>) -> Result<(), ApiError> {
    let Some(token) = token(rqctx) else {
        return Ok(());
    };
    let sessions = &identity(rqctx)?.sessions;
    let request_id = rqctx.request_id.clone();
    let ended = match rqctx.context().tokens.is_operators(token) {
        true => sessions.end_operator(request_id, token).await,
        false => sessions.end_by_cookie(request_id, token).await,
    };
    ended.map_err(api_error)
}

/// Returns the token of the cookie that a call of the console came with.
fn token(rqctx: &RequestContext<Context>) -> Option<&str> {
    let request = &rqctx.request;
    let token = rqctx.context().console.token(request.headers());
    token.filter(|_| is_console_call(request.uri().path()))
}

/// Returns the answer that sets the cookie of a new session. `screen` is where a sign-in by the provider was begun.
pub(crate) fn begun(
    rqctx: &RequestContext<Context>,
    signed_in: &SignedIn,
    screen: Option<String>,
) -> ApiResult<types::ConsoleSession> {
    let seconds = SessionKind::Console.longest_seconds();
    let console = &rqctx.context().console;
    let cookie = console.session_cookie(&signed_in.token, seconds);
    let cookie = cookie.ok_or_else(ApiError::unknown_route)?;
    let answer = JsonAnswer::new(types::ConsoleSession {
        status: types::ConsoleSessionStatus::SignedIn,
        second_step_token: None,
        expires_at: Some(Timestamp::to_datetime(signed_in.session.expires_at)),
        screen,
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
    admit(rqctx, TrySubject::SignIn(email)).await?;
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
    admit(rqctx, TrySubject::Token(token.expose())).await?;
    if !rqctx.context().is_sandbox || !this_machine::is_client(rqctx) {
        return Err(refused(Refusal::PasswordLinkInvalid));
    }
    let token = SecretText::new(token.expose());
    let sign_ins = &identity(rqctx)?.sign_ins;
    let step = sign_ins.by_link(console_visit(rqctx), &token).await;
    step.map_err(api_error)
}

/// Signs in by the answer of the identity provider, which counts in the browser that began the sign-in only. Returns the
/// screen at which it was begun too. The cookie isn't ended, because its token works once.
async fn by_oidc(
    rqctx: &RequestContext<Context>,
    asked: &types::ConsoleOidcRequest,
) -> Result<(FirstStep, String), ApiError> {
    let begun = begun_oidc(rqctx)?;
    admit(rqctx, TrySubject::Token(begun.token.expose())).await?;
    let answer = OidcAnswer {
        token: begun.token,
        state: asked.state.clone(),
        code: SecretText::new(asked.code.expose()),
        issuer: asked.iss.clone(),
        page: return_page(rqctx)?,
    };
    let sign_ins = &identity(rqctx)?.sign_ins;
    let step = sign_ins.by_oidc(console_visit(rqctx), &answer).await;
    Ok((step.map_err(api_error)?, begun.screen))
}
