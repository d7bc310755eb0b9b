//! The operations of users. The program uses [`Api`] for the tags of users, and plugs in [`IdentityState`] and
//! [`UserTokens`].

pub mod arms;
mod console_sessions;
mod oidc;
mod sign_in_limit;
mod signed_out;
mod two_factor;
mod user_merchants;
mod user_sessions;
mod user_tokens;
mod users;
mod words;

use std::sync::Arc;
use std::time::Instant;

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
