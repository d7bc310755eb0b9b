//! The operations of users: translate, call, translate. The program names [`Api`] for the tags of users, and plugs in
//! [`IdentityState`] and [`UserTokens`].

mod oidc;
mod sign_in_limit;
mod two_factor;
mod user_sessions;
mod user_tokens;
mod users;
mod words;

use std::sync::Arc;
use std::time::Instant;

use multirail_identity::app::Identity;

use sign_in_limit::SignInLimit;

pub use user_tokens::UserTokens;

/// Implements the traits of the tags of users. Never made: its methods find what they need in the context.
pub enum Api {}

/// The state that the operations of users need beside the context of all.
pub struct IdentityState {
    pub services: Arc<Identity>,
    pub(crate) limit: SignInLimit,
}

impl IdentityState {
    /// With no try counted yet.
    pub fn new(services: Arc<Identity>) -> Self {
        let limit = SignInLimit::new(Instant::now());
        IdentityState { services, limit }
    }
}
