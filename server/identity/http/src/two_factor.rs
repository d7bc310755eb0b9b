//! The operations of the second factor. Each translates the request, calls a use case and translates the result.

use dropshot::RequestContext;
use multirail_api::two_factor::*;
use multirail_api::{ApiError, Caller, JsonAnswer, PlainText, TypedBody, User};
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::origin;
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{SignedIn, TrySubject, Visit};
use multirail_identity_domain::Proof;
use multirail_kernel::secret::SecretText;
use multirail_types as types;

use super::answers::{nothing, token};
use super::callers::user;
use super::tries::admit;
use super::visits::{place, visit};
use super::{Api, identity};

impl TwoFactorApi for Api {
    type Context = Context;

    async fn two_factor_begin(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TwoFactorBeginRequest>>,
    ) -> ApiResult<types::TwoFactorBegun> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let types::TwoFactorBeginRequest { password } = *body.into_inner();
        let password = SecretText::new(password.expose());
        let origin = origin::user(&rqctx, &caller);
        let second_factors = &identity(&rqctx)?.second_factors;
        let caller = user(&caller)?;
        let begun = second_factors.begin(&origin, &caller, &password).await;
        let begun = begun.map_err(api_error)?;
        Ok(JsonAnswer::new(types::TwoFactorBegun {
            secret: begun.secret.expose().to_owned(),
            totp_url: begun.uri.expose().to_owned(),
        }))
    }

    async fn two_factor_confirm(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TwoFactorConfirmRequest>>,
    ) -> ApiResult<types::TwoFactorRecoveryCodes> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let types::TwoFactorConfirmRequest { totp } = *body.into_inner();
        let code = SecretText::new(totp.expose());
        let origin = origin::user(&rqctx, &caller);
        let second_factors = &identity(&rqctx)?.second_factors;
        let caller = user(&caller)?;
        let confirmed = second_factors.confirm(&origin, &caller, &code).await;
        Ok(shown(&confirmed.map_err(api_error)?))
    }

    async fn two_factor_renew_recovery_codes(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TwoFactorProofRequest>>,
    ) -> ApiResult<types::TwoFactorRecoveryCodes> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let (password, proof) = given(&body.into_inner())?;
        let origin = origin::user(&rqctx, &caller);
        let second_factors = &identity(&rqctx)?.second_factors;
        let caller = user(&caller)?;
        let renewed = second_factors.renew_recovery_codes(&origin, &caller, &password, &proof);
        Ok(shown(&renewed.await.map_err(api_error)?))
    }

    async fn two_factor_end(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TwoFactorProofRequest>>,
    ) -> Result<PlainText, ApiError> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let (password, proof) = given(&body.into_inner())?;
        let origin = origin::user(&rqctx, &caller);
        let second_factors = &identity(&rqctx)?.second_factors;
        let caller = user(&caller)?;
        let ended = second_factors.end(&origin, &caller, &password, &proof);
        ended.await.map_err(api_error)?;
        Ok(nothing())
    }

    async fn two_factor_sign_in(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::TwoFactorSignInRequest>>,
    ) -> ApiResult<types::UserToken> {
        let signed_in = second_step(&rqctx, &body.into_inner(), visit(&rqctx)).await?;
        let sign_ins = &identity(&rqctx)?.sign_ins;
        sign_ins.remember_place(&signed_in, &place(&rqctx)).await;
        Ok(token(&signed_in))
    }
}

/// Takes the second step of a sign-in.
pub(crate) async fn second_step(
    rqctx: &RequestContext<Context>,
    body: &types::TwoFactorSignInRequest,
    visit: Visit,
) -> Result<SignedIn, ApiError> {
    let types::TwoFactorSignInRequest {
        token,
        totp,
        recovery_code,
    } = body;
    admit(rqctx, TrySubject::Token(token.expose())).await?;
    let asked = SecretText::new(token.expose());
    let proof = proof(totp.as_ref(), recovery_code.as_ref())?;
    let second_factors = &identity(rqctx)?.second_factors;
    let signed_in = second_factors.sign_in(visit, &asked, &proof).await;
    signed_in.map_err(api_error)
}

fn given(body: &types::TwoFactorProofRequest) -> Result<(SecretText, Proof), ApiError> {
    let types::TwoFactorProofRequest {
        password,
        totp,
        recovery_code,
    } = body;
    let proof = proof(totp.as_ref(), recovery_code.as_ref())?;
    Ok((SecretText::new(password.expose()), proof))
}

fn proof(
    totp: Option<&types::Secret>,
    recovery_code: Option<&types::Secret>,
) -> Result<Proof, ApiError> {
    let secret = |text: &types::Secret| SecretText::new(text.expose());
    Proof::new(totp.map(secret), recovery_code.map(secret)).map_err(refused)
}

fn shown(codes: &[SecretText]) -> JsonAnswer<types::TwoFactorRecoveryCodes> {
    let codes = codes.iter().map(|code| code.expose().to_owned());
    JsonAnswer::new(types::TwoFactorRecoveryCodes {
        recovery_codes: codes.collect(),
    })
}
