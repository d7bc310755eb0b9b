//! The checkout that shops embed, as browsers get it: the loader for the shop's page, the frame with the fields, and the
//! files of the frame. It neither reads nor sets a cookie.

use dropshot::{Body, RequestContext};
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use multirail_app::AppError;
use multirail_checkout::Frame;
use multirail_domain::accounts::profile::{Embedders, Profile};
use multirail_kernel::refusal::{Object, Refusal};

use super::checkout_address::{FrameAddress, Unopened};
use crate::platform::served_file::{KEPT_FOR_GOOD, built};
use crate::{Context, HttpState};

/// The `cache-control` of the loader at its moving address: shops get a new version within minutes.
const KEPT_FOR_MINUTES: &str = "public, max-age=300";

/// Returns the answer for the segments below `/checkout/`, if there is one.
pub(crate) async fn answer(
    state: &HttpState,
    rqctx: &RequestContext<Context>,
    rest: &[&str],
    query: Option<&str>,
) -> Option<Response<Body>> {
    match rest {
        ["v1", "frame"] => frame(state, rqctx, query).await,
        ["v1", "assets", name] => {
            let file = multirail_checkout::asset(name)?;
            Some(built(file, &multirail_checkout::HEADERS))
        }
        ["v1", "multirail.js"] => loader(KEPT_FOR_MINUTES),
        [version, "multirail.js"] if *version == multirail_checkout::VERSION => {
            loader(KEPT_FOR_GOOD)
        }
        _ => None,
    }
}

/// Returns the script that a shop's page loads. Pages of any origin may read it, so that they can check its hash.
fn loader(cached: &'static str) -> Option<Response<Body>> {
    let file = multirail_checkout::loader()?;
    let mut response = built(file, &multirail_checkout::HEADERS);
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(header::CACHE_CONTROL, cached);
    Some(response)
}

async fn frame(
    state: &HttpState,
    rqctx: &RequestContext<Context>,
    query: Option<&str>,
) -> Option<Response<Body>> {
    if !multirail_checkout::is_built() {
        return None;
    }
    let address = match FrameAddress::read(query) {
        Ok(address) => address,
        Err(reason) => return unopened(reason),
    };
    let key = &address.publishable_key;
    let profiles = &state.services.profiles;
    let found = profiles.of_checkout(key, address.profile_id.as_ref()).await;
    let profile = match found {
        Ok(profile) => profile,
        Err(error) => return unopened(reason(&error)),
    };
    let (traffic, request) = (&state.traffic, &rqctx.request);
    let client = traffic.client(request.remote_addr(), request.headers());
    if let Err(refused) = traffic.admit_client(key, client) {
        let mut response = unopened(Unopened::TooManyRequests)?;
        for (name, value) in refused.headers {
            response.headers_mut().insert(name, value);
        }
        return Some(response);
    }
    opened(state, &profile)
}

/// Returns the frame of a profile.
fn opened(state: &HttpState, profile: &Profile) -> Option<Response<Body>> {
    let origins = match profile.embedders(state.services.base.environment) {
        Embedders::Anyone => vec!["*".to_owned()],
        Embedders::Listed(origins) => origins.to_vec(),
    };
    let frame = Frame {
        origins: &origins,
        profile_id: profile.profile_id.as_str(),
        is_test: state.is_sandbox,
    };
    page(StatusCode::OK, frame.html()?, &frame.policy())
}

/// Returns the page that says why a frame isn't opened. Any page may embed it: the shop's developer has to see it.
fn unopened(reason: Unopened) -> Option<Response<Body>> {
    let policy = multirail_page::policy_in_frames();
    page(reason.status(), reason.page(), &policy)
}

/// Returns the reason for which no profile was found.
fn reason(error: &AppError) -> Unopened {
    let is_missing = |object: Object| {
        let refusal = Refusal::not_found(object);
        matches!(error, AppError::Refused(found) if *found == refusal)
    };
    if is_missing(Object::MerchantAccount) {
        Unopened::UnknownKey
    } else if is_missing(Object::BusinessProfile) {
        Unopened::UnknownProfile
    } else if matches!(error, AppError::Refused(Refusal::Missing { .. })) {
        Unopened::NoProfile
    } else {
        tracing::error!(%error, "a checkout could not be opened");
        Unopened::Unavailable
    }
}

/// Returns a page for a frame. Its address has a key, which it tells nobody.
fn page(status: StatusCode, html: String, policy: &str) -> Option<Response<Body>> {
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let policy = HeaderValue::from_str(policy).ok()?;
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let mut set = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, "text/html; charset=utf-8");
    set(header::CACHE_CONTROL, "no-store");
    for (name, value) in multirail_checkout::HEADERS {
        set(HeaderName::from_static(name), value);
    }
    Some(response)
}
