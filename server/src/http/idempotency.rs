//! Idempotency keys at the edge: from a request to a claim, and from a stored answer to a response.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dropshot::{Body, RequestContext};
use http::{HeaderName, HeaderValue, Response, header};
use multirail_api::{ApiError, Client, IdempotentRequest, JsonAnswer, Merchant, Principal};
use multirail_app::idempotency::{Claim, Made};
use multirail_app::ports::Actor;
use multirail_app::{App, AppError, Origin};
use multirail_domain::idempotency::{Fingerprint, check_key};
use multirail_domain::ids::MerchantId;
use multirail_domain::secret::SecretText;
use serde::Serialize;

use super::convert::payment_answer::Shown;
use super::convert::{business_profile, connector_account, payment_answer, refund};
use super::errors::{api_error, refused};
use super::{Context, HttpState};

/// Says that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Narrows a call to a profile, and so makes it another one.
const PROFILE_HEADER: &str = "X-Profile-Id";

/// The answer that a request got before, if it did.
pub(super) async fn replay(
    state: &HttpState,
    rqctx: &RequestContext<Context>,
    principal: &Principal,
    request: &IdempotentRequest,
) -> Result<Option<Response<Body>>, ApiError> {
    check_key(&request.key).map_err(refused)?;
    let Some(claim) = claim(state, &Asker::of(principal), request) else {
        return Ok(None);
    };
    let origin = Origin::new(Actor::Worker("idempotency"), Some(rqctx.request_id.clone()));
    let answer = state.app.replay(&origin, &claim).await.map_err(api_error)?;
    Ok(answer.map(|answer| {
        let mut response = Response::new(Body::from(answer.expose().to_owned()));
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
        response
    }))
}

/// The answer to a request that may have an idempotency key: there is one for all that come with the key, and a repeat
/// that came before this request was done may have been given it already.
///
/// # Errors
/// Those of the result, and those of [`App::unless_repeated`].
pub(super) async fn answer_once<T, A>(
    app: &App,
    origin: &Origin,
    made: Result<T, AppError>,
    answer: impl FnOnce(T) -> JsonAnswer<A>,
) -> Result<JsonAnswer<A>, ApiError> {
    let made = app.unless_repeated(origin, made).await.map_err(api_error)?;
    let given = app.given_meanwhile(origin).await.map_err(api_error)?;
    Ok(match given {
        None => answer(made),
        Some(given) => JsonAnswer::written(given.expose().to_owned()),
    })
}

/// What of a caller decides about an answer.
#[derive(Default)]
pub(super) struct Asker<'a> {
    /// The merchant of the key.
    pub merchant_id: Option<&'a str>,
    /// The profile that the call is narrowed to.
    pub profile_id: Option<&'a str>,
    pub shown: Shown,
}

impl<'a> Asker<'a> {
    fn of(principal: &'a Principal) -> Self {
        match principal {
            Principal::Anonymous | Principal::Admin(_) => Asker::default(),
            Principal::Merchant(merchant) => Asker::merchant(merchant),
            Principal::Client(client) => Asker::client(client),
        }
    }

    /// A merchant's server.
    pub(super) fn merchant(merchant: &'a Merchant) -> Self {
        Asker {
            merchant_id: Some(&merchant.merchant_id),
            profile_id: merchant.profile_id.as_deref(),
            shown: Shown::default(),
        }
    }

    /// A payer's client.
    pub(super) fn client(client: &'a Client) -> Self {
        Asker {
            merchant_id: Some(&client.merchant_id),
            profile_id: None,
            shown: Shown::to_client(),
        }
    }
}

/// The claim of a request, under the merchant of its key or, for the operator, of its path.
pub(super) fn claim(
    state: &HttpState,
    asker: &Asker<'_>,
    request: &IdempotentRequest,
) -> Option<Claim> {
    let of_path = request
        .target
        .iter()
        .find(|(name, _)| *name == "account_id")
        .map(|(_, value)| value.as_str());
    let merchant_id = MerchantId::parse(asker.merchant_id.or(of_path)?).ok()?;
    let target = request
        .target
        .iter()
        .map(|(name, value)| (*name, value.as_str()));
    let narrowed_to = asker.profile_id.map(|id| (PROFILE_HEADER, id));
    let target: Vec<(&str, &str)> = target.chain(narrowed_to).collect();
    let shown = asker.shown;
    let seal = &state.app.seal;
    let scope = merchant_id.as_str();
    let fingerprint = Fingerprint::of(&target, &request.body, |name, value| {
        seal.fingerprint(scope, &format!("{name}={value}"))
    });
    Some(Claim {
        operation: request.operation.id,
        key: request.key.clone(),
        fingerprint,
        render: Arc::new(move |made| render(made, shown)),
        is_overtaken: AtomicBool::new(false),
        is_answered: AtomicBool::new(false),
        merchant_id,
    })
}

fn render(made: Made<'_>, shown: Shown) -> SecretText {
    match made {
        Made::Payment(view) => json(&payment_answer::payment(view, shown)),
        Made::Refund(made) => json(&refund::answer(made)),
        Made::Profile(profile) => json(&business_profile::answer(profile)),
        Made::ConnectorAccount(account) => json(&connector_account::answer(account)),
    }
}

fn json<T: Serialize>(answer: &T) -> SecretText {
    SecretText::new(serde_json::to_string(answer).unwrap_or_default())
}
