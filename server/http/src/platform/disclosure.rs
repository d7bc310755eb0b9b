//! Removes secrets from answers. The document names the operations that the caller may call, and so the secrets that
//! the caller may use.

use dropshot::Body;
use http::{Response, header};
use http_body_util::BodyExt;
use multirail_api::{ApiError, OPERATIONS, Op, OpInfo, Principal, Role};
use multirail_kernel::disclosure::Disclosure;
use serde_json::Value;

/// Returns the secrets that an operation's answer may show to the caller.
pub(crate) fn for_answer(operation: &OpInfo, principal: &Principal) -> Disclosure {
    let usual = for_principal(principal);
    // The answer has one secret: the address that the caller sends to the payer.
    let shows_address = operation.op == Op::UserPaymentsCreate;
    Disclosure {
        payer_secrets: usual.payer_secrets || shows_address,
        ..usual
    }
}

/// Returns the secrets that the caller may use.
fn for_principal(principal: &Principal) -> Disclosure {
    match principal {
        // Their answers contain only their own data.
        Principal::Client(_) | Principal::Subscriber(_) | Principal::Customer(_) => Disclosure::ALL,
        Principal::Anonymous
        | Principal::Admin(_)
        | Principal::Merchant(_)
        | Principal::User(_) => {
            let may_any = |those: &[Op]| makes_any_key(principal) || may_call(principal, those);
            Disclosure {
                payer_secrets: may_any(&[Op::PaymentsConfirm, Op::SubscriptionsConfirm]),
                ephemeral_keys: may_any(&[Op::EphemeralKeysCreate]),
                webhook_secrets: may_any(&[Op::BusinessProfilesUpdate]),
            }
        }
    }
}

/// Returns whether the caller may make a secret key that opens everything.
fn makes_any_key(principal: &Principal) -> bool {
    match principal {
        Principal::Admin(admin) => !admin.only_reads,
        Principal::User(user) => match user.role {
            Role::OrgAdmin | Role::MerchantAdmin => true,
            Role::MerchantDeveloper | Role::MerchantOperator | Role::MerchantViewOnly => false,
        },
        Principal::Anonymous
        | Principal::Merchant(_)
        | Principal::Client(_)
        | Principal::Subscriber(_)
        | Principal::Customer(_) => false,
    }
}

fn may_call(principal: &Principal, those: &[Op]) -> bool {
    let mut named = OPERATIONS.iter().filter(|one| those.contains(&one.op));
    named.any(|operation| principal.may_call(operation))
}

/// Returns the answer without secrets that its reader may not use.
///
/// # Errors
/// An answer that isn't of its declared content type.
pub(crate) async fn redacted(
    disclosure: Disclosure,
    answer: Response<Body>,
) -> Result<Response<Body>, ApiError> {
    let content_type = answer.headers().get(header::CONTENT_TYPE);
    let is_json = content_type.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
    if disclosure == Disclosure::ALL || !is_json {
        return Ok(answer);
    }
    let (mut parts, body) = answer.into_parts();
    let unread = || ApiError::internal("an answer with secrets can't be read");
    let bytes = body.collect().await.map_err(|_| unread())?.to_bytes();
    let mut said: Value = serde_json::from_slice(&bytes).map_err(|_| unread())?;
    disclosure.redact(&mut said);
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, said.to_string().into()))
}
