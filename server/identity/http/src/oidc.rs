//! The operations of signing in by the identity provider. Each translates the request, calls a use case and translates
//! the result.

use dropshot::RequestContext;
use multirail_api::oidc::*;
use multirail_api::{ApiError, Caller, JsonAnswer, PlainText, TypedBody, User, is_console_call};
use multirail_http::platform::errors::api_error;
use multirail_http::platform::origin;
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{OidcAnswer, TrySubject};
use multirail_identity::ports::ReturnPage;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::answers::{first_step, nothing};
use super::callers::user;
use super::tries::{admit, admit_from};
use super::visits::visit;
use super::{Api, console_sessions, identity};

impl OidcApi for Api {
    type Context = Context;

    async fn oidc_methods(
        rqctx: RequestContext<Context>,
    ) -> ApiResult<Vec<types::AuthMethodListed>> {
        let identity = identity(&rqctx)?;
        let by_password = types::AuthMethodListed {
            auth_method: types::AuthMethod {
                type_: "password".to_owned(),
                name: None,
            },
            allow_signup: identity.users.open_sign_up,
        };
        let by_provider = identity
            .sign_ins
            .oidc_rules()
            .map(|rules| types::AuthMethodListed {
                auth_method: types::AuthMethod {
                    type_: "open_id_connect".to_owned(),
                    name: Some(rules.label.clone()),
                },
                allow_signup: rules.lets_in_newcomers(),
            });
        Ok(JsonAnswer::new(
            std::iter::once(by_password).chain(by_provider).collect(),
        ))
    }

    async fn oidc_begin(rqctx: RequestContext<Context>) -> ApiResult<types::OidcBegun> {
        admit_from(&rqctx)?;
        let begun = identity(&rqctx)?
            .sign_ins
            .begin_oidc(&ReturnPage::Dashboard)
            .await;
        let begun = begun.map_err(api_error)?;
        Ok(JsonAnswer::new(types::OidcBegun {
            auth_url: begun.url.expose().to_owned(),
            token: begun.token.expose().to_owned(),
            expires_at: Timestamp::to_datetime(begun.expires_at),
        }))
    }

    async fn oidc_sign_in(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::OidcSignInRequest>>,
    ) -> ApiResult<types::UserToken> {
        let types::OidcSignInRequest {
            token,
            state,
            code,
            iss,
        } = *body.into_inner();
        admit(&rqctx, TrySubject::Token(token.expose())).await?;
        let answer = OidcAnswer {
            token: SecretText::new(token.expose()),
            state,
            code: SecretText::new(code.expose()),
            issuer: iss,
            page: ReturnPage::Dashboard,
        };
        let sign_ins = &identity(&rqctx)?.sign_ins;
        let signed_in = sign_ins.by_oidc(visit(&rqctx), &answer).await;
        first_step(&rqctx, &signed_in.map_err(api_error)?).await
    }

    async fn oidc_link(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::OidcLinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let types::OidcLinkRequest {
            password,
            token,
            state,
            code,
            iss,
        } = *body.into_inner();
        let password = SecretText::new(password.expose());
        let (token, page) = begun(&rqctx, token.as_ref())?;
        let answer = OidcAnswer {
            token,
            state,
            code: SecretText::new(code.expose()),
            issuer: iss,
            page,
        };
        let origin = origin::user(&rqctx, &caller);
        let sign_ins = &identity(&rqctx)?.sign_ins;
        let caller = user(&caller)?;
        let linked = sign_ins
            .link_oidc(&origin, &caller, &password, &answer)
            .await;
        linked.map_err(api_error)?;
        Ok(nothing())
    }

    async fn oidc_unlink(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::OidcUnlinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let types::OidcUnlinkRequest { password } = *body.into_inner();
        let password = SecretText::new(password.expose());
        let origin = origin::user(&rqctx, &caller);
        let sign_ins = &identity(&rqctx)?.sign_ins;
        let caller = user(&caller)?;
        let unlinked = sign_ins.unlink_oidc(&origin, &caller, &password).await;
        unlinked.map_err(api_error)?;
        Ok(nothing())
    }
}

/// Returns the token of a begun sign-in, and the page to which the browser came back. The console's cookie has the token
/// there, where no script may read it.
fn begun(
    rqctx: &RequestContext<Context>,
    token: Option<&types::Secret>,
) -> Result<(SecretText, ReturnPage), ApiError> {
    if let Some(token) = token {
        return Ok((SecretText::new(token.expose()), ReturnPage::Dashboard));
    }
    if !is_console_call(rqctx.request.uri().path()) {
        return Err(ApiError::missing("token"));
    }
    let begun = console_sessions::begun_oidc(rqctx)?;
    Ok((begun.token, console_sessions::return_page(rqctx)?))
}
