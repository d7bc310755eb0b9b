//! The arms of billing's tags. Each is a `static`, so the operations are compiled with this crate and not with the program.

use multirail_api::arms;
use multirail_http::Context;
use multirail_http::hooks::HttpHooks;

use crate::Api;

pub static SUBSCRIPTIONS: arms::Subscriptions<Context, HttpHooks> =
    arms::Subscriptions::of::<Api>();
pub static USER_SUBSCRIPTIONS: arms::UserSubscriptions<Context, HttpHooks> =
    arms::UserSubscriptions::of::<Api>();
pub static BILLING: arms::Billing<Context, HttpHooks> = arms::Billing::of::<Api>();
