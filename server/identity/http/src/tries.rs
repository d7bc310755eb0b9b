//! Tries to sign in. Each is counted by its account and its place before its result is known.

use std::time::{Duration, Instant};

use dropshot::RequestContext;
use multirail_api::{ApiError, User};
use multirail_app::platform::ports::metric;
use multirail_http::Context;
use multirail_http::platform::errors::{api_error, rate_limited};
use multirail_identity::app::TrySubject;

use super::sign_in_limit::Full;
use super::visits::{address, place};
use super::{identity, state};

/// Counts a try of a subject and place. The count in memory comes first and keeps frequent tries away from the
/// database; then the count of all servers follows.
pub(crate) async fn admit(
    rqctx: &RequestContext<Context>,
    about: TrySubject<'_>,
) -> Result<(), ApiError> {
    let place = place(rqctx);
    let now = Instant::now();
    let limit = &state(rqctx)?.limit;
    match limit.take(about, address(rqctx), now) {
        Ok(()) => {}
        Err(Full::Account(wait)) => {
            let known = identity(rqctx)?
                .sign_ins
                .is_known_place(about, &place)
                .await;
            if !known.map_err(api_error)? {
                return Err(tries_refused(wait));
            }
        }
        Err(Full::Place(wait)) => return Err(tries_refused(wait)),
    }
    let counted = identity(rqctx)?.sign_ins.count_try(about, &place).await;
    counted.map_err(api_error)
}

/// Counts a try that names no account yet.
pub(crate) fn admit_from(rqctx: &RequestContext<Context>) -> Result<(), ApiError> {
    let limit = &state(rqctx)?.limit;
    let taken = limit.take_visit(address(rqctx), Instant::now());
    taken.map_err(tries_refused)
}

/// Counts a new merchant account of a user, also that of a platform. Each is stored for good, so they are few.
pub(crate) async fn admit_account(
    rqctx: &RequestContext<Context>,
    user: &User,
) -> Result<(), ApiError> {
    admit(rqctx, TrySubject::NewAccount(&user.user_id)).await
}

/// Returns 429 `MR_03`: too many tries to sign in.
fn tries_refused(wait: Duration) -> ApiError {
    metrics::counter!(metric::RATE_LIMITED, "key" => "sign_in").increment(1);
    rate_limited(wait)
}
