//! The answers that operations of several tags give: tokens of sign-ins, and nothing.

use dropshot::RequestContext;
use multirail_api::{JsonAnswer, PlainText};
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{FirstStep, SignedIn};
use multirail_types as types;

use super::identity;
use super::visits::place;

/// The type of a token with the rights of its user's roles.
const TOKEN_TYPE: &str = "user_info";

/// The type of a token that only allows the second step of signing in.
const SECOND_STEP_TOKEN_TYPE: &str = "totp";

/// Returns the token of a sign-in, or the one that only opens the second step.
pub(crate) async fn first_step(
    rqctx: &RequestContext<Context>,
    step: &FirstStep,
) -> ApiResult<types::UserToken> {
    match step {
        FirstStep::SignedIn(signed_in) => {
            let sign_ins = &identity(rqctx)?.sign_ins;
            sign_ins.remember_place(signed_in, &place(rqctx)).await;
            Ok(token(signed_in))
        }
        FirstStep::SecondStep(asked) => Ok(JsonAnswer::new(types::UserToken {
            token: asked.expose().to_owned(),
            token_type: SECOND_STEP_TOKEN_TYPE.to_owned(),
        })),
    }
}

/// Returns the token of a sign-in.
pub(crate) fn token(signed_in: &SignedIn) -> JsonAnswer<types::UserToken> {
    JsonAnswer::new(types::UserToken {
        token: signed_in.token.expose().to_owned(),
        token_type: TOKEN_TYPE.to_owned(),
    })
}

/// Returns an empty answer.
pub(crate) fn nothing() -> PlainText {
    PlainText::new(String::new())
}
