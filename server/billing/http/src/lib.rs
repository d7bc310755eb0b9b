//! The operations of billing. The program uses [`Api`] for the tags of billing, and plugs in [`BillingState`], the
//! client secrets of [`subscribers`], the [`pages`] and the [`replays`].

mod actions;
pub mod arms;
mod catalogue;
pub mod content;
mod convert;
mod invoice_page;
pub mod pages;
pub mod replays;
pub mod subscribers;
mod subscriptions;
mod user_subscriptions;

use std::sync::Arc;

use dropshot::RequestContext;
use multirail_api::ApiError;
use multirail_billing::app::subscriptions::Billing;
use multirail_http::Context;

/// Implements the traits of billing's tags. It has no values: its methods find the services in the context.
pub enum Api {}

/// The services of billing in the shared context.
pub struct BillingState(pub Arc<Billing>);

impl BillingState {
    /// Returns the services that the program plugged in.
    fn services(rqctx: &RequestContext<Context>) -> Result<&Billing, ApiError> {
        let state: &BillingState = rqctx.context().satellites.state()?;
        Ok(&state.0)
    }
}
