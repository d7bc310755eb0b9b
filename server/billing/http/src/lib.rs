//! The operations of billing: translate, call, translate. The program names [`Api`] for the tags of billing, and plugs in
//! [`BillingState`], the client secrets of [`subscribers`], the [`pages`] and the [`replays`].

mod catalogue;
pub mod content;
mod convert;
mod invoice_page;
pub mod pages;
pub mod replays;
pub mod subscribers;
mod subscriptions;

use std::sync::Arc;

use dropshot::RequestContext;
use multirail_api::ApiError;
use multirail_billing::app::subscriptions::Billing;
use multirail_http::Context;

/// Implements the traits of the tags of billing. Never made: its methods find what they need in the context.
pub enum Api {}

/// The state that the operations of billing need beside the context of all.
pub struct BillingState(pub Arc<Billing>);

impl BillingState {
    /// The services, as the program plugged them in.
    fn of(rqctx: &RequestContext<Context>) -> Result<&Billing, ApiError> {
        let state: &BillingState = rqctx.context().satellites.state()?;
        Ok(&state.0)
    }
}
