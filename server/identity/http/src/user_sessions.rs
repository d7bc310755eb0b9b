//! The operations of sign-ins. Each translates the request, calls a use case and translates the result.

use dropshot::RequestContext;
use multirail_api::user_sessions::*;
use multirail_api::{
    Admin, ApiError, Caller, JsonAnswer, Path, PlainText, TypedBody, User, is_console_call,
};
use multirail_http::platform::errors::api_error;
use multirail_http::platform::{origin, scope};
use multirail_http::{ApiResult, Context};
use multirail_identity::app::OwnSession;
use multirail_kernel::ids::SessionId;
use multirail_kernel::refusal::Object;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::answers::nothing;
use super::callers::user;
use super::console_sessions::console_visit;
use super::words::session_kind_to_wire;
use super::{Api, console_sessions, identity, operator_sessions, signed_out, user_merchants};

impl UserSessionsApi for Api {
    type Context = Context;

    async fn user_sessions_list(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> ApiResult<Vec<types::UserSession>> {
        let found = identity(&rqctx)?.sessions.list(&user(&caller)?).await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(answer).collect()))
    }

    async fn user_sessions_end(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSessionsEndPath>,
    ) -> Result<PlainText, ApiError> {
        let named = path.into_inner().session_id;
        let session_id =
            SessionId::parse(&named).map_err(|_| scope::not_found(Object::UserSession))?;
        let origin = origin::user(&rqctx, &caller);
        let sessions = &identity(&rqctx)?.sessions;
        let caller = user(&caller)?;
        let ended = sessions.end_one(&origin, &caller, &session_id).await;
        ended.map_err(api_error)?;
        Ok(match session_id == caller.session_id {
            true => signed_out::answer(&rqctx),
            false => nothing(),
        })
    }

    async fn user_sessions_end_others(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        let origin = origin::user(&rqctx, &caller);
        let sessions = &identity(&rqctx)?.sessions;
        let ended = sessions.end_others(&origin, &user(&caller)?).await;
        ended.map_err(api_error)?;
        Ok(nothing())
    }

    async fn console_sessions_begin(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::ConsoleSessionBeginRequest>>,
    ) -> ApiResult<types::ConsoleSession> {
        console_sessions::begin(&rqctx, &body.into_inner()).await
    }

    async fn console_sessions_begin_oidc(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::ConsoleOidcBeginRequest>>,
    ) -> ApiResult<types::ConsoleOidcBegun> {
        console_sessions::begin_oidc(&rqctx, *body.into_inner()).await
    }

    async fn console_sessions_end_operator(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
    ) -> Result<PlainText, ApiError> {
        operator_sessions::end(&rqctx).await
    }

    async fn console_sessions_switch_merchant(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::UserSwitchRequest>>,
    ) -> ApiResult<types::ConsoleSession> {
        // The caller's session is the cookie's there, and a token's elsewhere.
        let by_cookie = is_console_call(rqctx.request.uri().path());
        let (body, visit) = (body.into_inner(), console_visit(&rqctx));
        let switched = user_merchants::switch(&rqctx, &caller, &body, visit, by_cookie);
        console_sessions::begun(&rqctx, &switched.await?, None)
    }
}

fn answer(own: OwnSession) -> types::UserSession {
    let (session, client) = (own.session, own.client);
    types::UserSession {
        session_id: session.session_id.to_string(),
        kind: session_kind_to_wire(session.kind),
        is_current: own.is_current,
        merchant_id: session.merchant_id.to_string(),
        created_at: session.created_at.to_datetime(),
        expires_at: session.expires_at.to_datetime(),
        last_used_at: session.last_used_at.map(Timestamp::to_datetime),
        client_address: client.address,
        user_agent: client.user_agent,
    }
}
