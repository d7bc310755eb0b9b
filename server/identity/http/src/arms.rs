//! The arms of identity's tags. Each is a `static`, so the operations are compiled with this crate and not with the program.

use multirail_api::arms;
use multirail_http::Context;
use multirail_http::hooks::HttpHooks;

use crate::Api;

pub static USERS: arms::Users<Context, HttpHooks> = arms::Users::of::<Api>();
pub static USER_SESSIONS: arms::UserSessions<Context, HttpHooks> = arms::UserSessions::of::<Api>();
pub static TWO_FACTOR: arms::TwoFactor<Context, HttpHooks> = arms::TwoFactor::of::<Api>();
pub static OIDC: arms::Oidc<Context, HttpHooks> = arms::Oidc::of::<Api>();
