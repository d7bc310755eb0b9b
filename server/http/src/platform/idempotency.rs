//! Idempotency keys in HTTP: from a request to a claim, and from a stored answer to a response.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dropshot::{Body, RequestContext};
use http::{HeaderName, HeaderValue, Response, header};
use multirail_api::{ActsBy, ApiError, IdempotentRequest, KeyState, Principal};
use multirail_app::Origin;
use multirail_app::platform::idempotency::{Claim, Commits, Render};
use multirail_app::platform::ports::{Actor, metric};
use multirail_kernel::idempotency::{Fingerprint, KeyOwner, check_key, scoped_key};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;

use super::errors::{api_error, refused, too_many_answers};
use super::scope::{any_account, merchant_id};
use crate::{Context, HttpState};

/// The header that marks a stored answer.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The header that narrows a call to a profile. With another profile the call is another request.
const PROFILE_HEADER: &str = "X-Profile-Id";

/// Returns the claim that a request makes on its key, or the answer that it got before. `replay` has the number of the
/// operation's commits, and the writer of its answer.
pub(crate) async fn claim(
    state: &HttpState,
    rqctx: &RequestContext<Context>,
    principal: &Principal,
    request: &IdempotentRequest,
    replay: (Commits, Render),
) -> Result<KeyState<Claim>, ApiError> {
    check_key(&request.key).map_err(refused)?;
    let claim = claim_of(state, &Asker::from_principal(principal), request, replay)?;
    let worker = Actor::Worker("idempotency");
    let origin = Origin::of_request(worker, rqctx.request_id.clone(), None);
    let answer = state
        .services
        .replays
        .replay(&origin, &claim)
        .await
        .map_err(api_error)?;
    Ok(match answer {
        None => {
            let answers = &state.traffic.answers;
            let checked = answers.check(&claim.merchant_id, &claim.key, Instant::now());
            checked.map_err(|wait| {
                metrics::counter!(metric::RATE_LIMITED, "key" => "answers").increment(1);
                too_many_answers(wait)
            })?;
            KeyState::Open(claim)
        }
        Some(answer) => {
            let mut response = stored(&answer);
            let replayed = HeaderValue::from_static("true");
            response.headers_mut().insert(REPLAYED, replayed);
            KeyState::Answered(response)
        }
    })
}

/// Returns the answer to a request that made a claim. All requests with the key get one answer, and a repeat may have
/// got it before this request was done.
pub(crate) async fn conclude(
    state: &HttpState,
    claim: &Claim,
    answer: Result<Response<Body>, ApiError>,
) -> Result<Response<Body>, ApiError> {
    let replays = &state.services.replays;
    match answer {
        Ok(made) => {
            let answers = &state.traffic.answers;
            answers.count(&claim.merchant_id, &claim.key, Instant::now());
            let given = replays.given_meanwhile(claim).await.map_err(api_error)?;
            Ok(given.map_or(made, |given| stored(&given)))
        }
        Err(error) => {
            let is_refusal = error.status.is_client_error();
            if is_refusal {
                replays.check_not_repeated(claim).await.map_err(api_error)?;
            }
            Err(error)
        }
    }
}

fn stored(answer: &SecretText) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.expose().to_owned()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// The part of a caller that decides about a key.
struct Asker<'a> {
    /// The merchant of the key.
    merchant_id: Option<&'a str>,
    /// The profile that the call is narrowed to.
    profile_id: Option<&'a str>,
    /// The owner of the key.
    owner: KeyOwner<'a>,
}

impl<'a> Asker<'a> {
    fn from_principal(principal: &'a Principal) -> Self {
        match principal {
            Principal::Anonymous | Principal::Admin(_) => Asker {
                merchant_id: None,
                profile_id: None,
                owner: KeyOwner::Merchant,
            },
            Principal::Merchant(merchant) => Asker {
                merchant_id: Some(&merchant.merchant_id),
                profile_id: merchant.profile_id.as_deref(),
                owner: match &merchant.by {
                    ActsBy::Platform { merchant_id, .. } => KeyOwner::Platform(merchant_id),
                    ActsBy::Key(_) | ActsBy::User(_) => KeyOwner::Merchant,
                },
            },
            Principal::User(user) => Asker {
                merchant_id: Some(&user.merchant_id),
                profile_id: user.narrowed_to.as_deref(),
                owner: KeyOwner::Merchant,
            },
            Principal::Client(client) => Asker {
                merchant_id: Some(&client.merchant_id),
                profile_id: None,
                owner: KeyOwner::Payer(&client.payment_id),
            },
            Principal::Subscriber(subscriber) => Asker {
                merchant_id: Some(&subscriber.merchant_id),
                profile_id: Some(&subscriber.profile_id),
                owner: KeyOwner::Subscriber(&subscriber.subscription_id),
            },
            Principal::Customer(customer) => Asker {
                merchant_id: Some(&customer.merchant_id),
                profile_id: customer.profile_id.as_deref(),
                owner: KeyOwner::Customer(&customer.customer_id),
            },
        }
    }
}

/// Makes a claim under the key's merchant or, for the operator, under the path's.
fn claim_of(
    state: &HttpState,
    asker: &Asker<'_>,
    request: &IdempotentRequest,
    (commits, render): (Commits, Render),
) -> Result<Claim, ApiError> {
    let merchant_id = match asker.merchant_id {
        Some(of_key) => merchant_id(of_key)?,
        None => account_of_path(request)?,
    };
    let target = request
        .target
        .iter()
        .map(|(name, value)| (*name, value.as_str()));
    let narrowed_to = asker.profile_id.map(|id| (PROFILE_HEADER, id));
    let target: Vec<(&str, &str)> = target.chain(narrowed_to).collect();
    let seal = &state.services.base.seal;
    let scope = merchant_id.as_str();
    let fingerprint = Fingerprint::new(&target, &request.body, |name, value| {
        seal.fingerprint(scope, &format!("{name}={value}"))
    });
    Ok(Claim {
        operation: request.operation.id,
        key: scoped_key(asker.owner, &request.key),
        fingerprint,
        commits,
        render,
        is_overtaken: AtomicBool::new(false),
        is_answered: AtomicBool::new(false),
        resumes: OnceLock::new(),
        merchant_id,
    })
}

fn account_of_path(request: &IdempotentRequest) -> Result<MerchantId, ApiError> {
    let mut target = request.target.iter();
    let (_, account_id) = target
        .find(|(name, _)| *name == "account_id")
        .ok_or_else(|| ApiError::internal("an operator's request has a key of no merchant"))?;
    any_account(account_id)
}
