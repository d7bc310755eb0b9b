//! The operations of users. The program uses [`Api`] for the tags of users, and plugs in [`IdentityState`] and
//! [`UserTokens`].

mod answers;
pub mod arms;
mod callers;
mod console_sessions;
mod oidc;
mod operator_sessions;
mod saved_views;
mod sign_in_limit;
mod signed_out;
mod team;
mod tries;
mod two_factor;
mod user_merchants;
mod user_sessions;
mod user_tokens;
mod users;
mod visits;
mod words;

use std::sync::Arc;
use std::time::Instant;

use dropshot::RequestContext;
use multirail_api::ApiError;
use multirail_http::Context;
use multirail_identity::app::Identity;

use sign_in_limit::SignInLimit;

pub use user_tokens::UserTokens;

/// Implements the traits of the users' tags. It has no values: its methods find the services in the context.
pub enum Api {}

/// The services of users in the shared context.
pub struct IdentityState {
    pub services: Arc<Identity>,
    pub(crate) limit: SignInLimit,
}

impl IdentityState {
    /// Creates the state without any counted try.
    pub fn new(services: Arc<Identity>) -> Self {
        let limit = SignInLimit::new(Instant::now());
        IdentityState { services, limit }
    }
}

fn state(rqctx: &RequestContext<Context>) -> Result<&IdentityState, ApiError> {
    rqctx.context().satellites.state()
}

/// Returns the services of users.
fn identity(rqctx: &RequestContext<Context>) -> Result<&Identity, ApiError> {
    Ok(&state(rqctx)?.services)
}
