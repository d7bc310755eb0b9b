//! The use cases of users: signing up and in, by password or identity provider, sign-ins, passwords, second factors,
//! their merchant accounts, and the operator's invitations and help.

mod accounts;
mod find;
mod help;
mod invite;
mod mails;
mod oidc;
mod oidc_links;
mod operator_sessions;
mod own_merchants;
mod own_sessions;
mod passwords;
mod saved_views;
mod second_factors;
mod session_users;
mod sessions;
mod sign_in;
mod sign_in_links;
mod sign_up;
mod team;
mod team_settings;
mod tries;

pub use accounts::NewPlatform;
pub use find::{UserView, Users};
pub use help::{Forgotten, SignInReset};
pub use invite::{InviteUser, Invited};
pub use mails::{MailNotifier, PasswordMails};
pub use oidc::{OidcAnswer, OidcPage};
pub use own_merchants::OwnMerchant;
pub use own_sessions::OwnSession;
pub use saved_views::ViewsOfAccount;
pub use second_factors::{BegunSecondFactor, SecondFactors};
pub use sessions::{Sessions, SignedIn, UserCaller};
pub use sign_in::{FirstStep, SignIns};
pub use tries::TrySubject;

use std::sync::Arc;

use multirail_app::AppError;
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::Change;
use multirail_identity_domain::{PasswordLink, RolePlace, SessionKind, SignInClient};
use multirail_kernel::ids::UserId;
use multirail_kernel::random::alphanumeric;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use crate::ports::{UserChange, UserStore};

/// The services of users.
pub struct Identity {
    pub users: Arc<Users>,
    pub sessions: Arc<Sessions>,
    pub second_factors: Arc<SecondFactors>,
    pub sign_ins: Arc<SignIns>,
    pub password_mails: Arc<PasswordMails>,
}

/// The request and client of someone who signs in.
pub struct Visit {
    pub request_id: String,
    pub client: SignInClient,
    /// The session that they ask for.
    pub kind: SessionKind,
}

fn not_allowed(message: &str) -> AppError {
    Refusal::NotAllowed {
        message: message.to_owned(),
    }
    .into()
}

/// Returns a new token that works once, and the keyed hash that is stored of it. Its prefix says what it opens.
fn one_time_token(base: &Base, prefix: &str) -> (SecretText, String) {
    let random = alphanumeric(base.random.as_ref(), 48);
    let token = SecretText::new(format!("{prefix}_{random}"));
    let hash = base.seal.hash_api_key(&token);
    (token, hash)
}

/// Makes a link for choosing a password, which takes up the offer of this place if there is one. Returns it with its token.
fn password_link(
    base: &Base,
    user_id: &UserId,
    expires_at: Timestamp,
    offer: Option<RolePlace>,
) -> (SecretText, PasswordLink) {
    let (token, hash) = one_time_token(base, "pwl");
    let link = PasswordLink {
        hash,
        user_id: user_id.clone(),
        expires_at,
        offer,
    };
    (token, link)
}

/// Prepares changes of users for a change set.
fn storable(store: &dyn UserStore, changes: impl IntoIterator<Item = UserChange>) -> Vec<Change> {
    let changes = changes.into_iter();
    changes.map(|change| store.change(change)).collect()
}
