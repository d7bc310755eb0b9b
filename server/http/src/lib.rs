//! HTTP: translates. Decides nothing about payments, and knows no store and no processor.

pub mod accounts;
mod caller;
pub mod customers;
pub mod event_content;
pub mod hooks;
pub mod operations;
pub mod pages;
pub mod payments;
pub mod platform;
mod replays;
pub mod routing;
pub mod webhooks;

use std::sync::Arc;

use multirail_api::{ApiError, JsonAnswer, Limits};
use multirail_app::Services;
use multirail_app::payments::ports::PayerPages;

use platform::admin_keys::AdminKeys;
use platform::cors::Cors;
use platform::document::Document;
use platform::satellite_pages::SatellitePages;
use platform::satellite_replays::SatelliteReplays;
use platform::satellites::Satellites;
use platform::stopping::Stopping;
use platform::subscriber_reader::SubscriberReader;
use platform::token_reader::TokenReader;
use platform::traffic::Traffic;

/// Implements the generated traits. Never made: its methods get what they need through [`HttpState`].
pub enum Api {}

/// What every request can reach.
pub struct HttpState {
    pub services: Arc<Services>,
    /// Whether this is the sandbox.
    pub is_sandbox: bool,
    /// Where payers and processors reach us, without a trailing slash.
    pub public_url: String,
    /// Knows who signed in.
    pub tokens: Arc<dyn TokenReader>,
    /// Knows whose client secret of a subscription a call presents.
    pub subscribers: Arc<dyn SubscriberReader>,
    pub satellites: Satellites,
    pub satellite_pages: Arc<dyn SatellitePages>,
    pub replays: SatelliteReplays,
    pub admin_keys: AdminKeys,
    pub cors: Cors,
    /// The document as it is served.
    pub document: Document,
    /// Adds the nested `error` object for clients written against the public server.
    pub nested_error_body: bool,
    pub limits: Limits,
    pub traffic: Traffic,
    pub stopping: Stopping,
    /// The pages of processors that live inside this process; the simulator's.
    pub processor_pages: Option<Arc<dyn PayerPages>>,
}

/// The context type of the generated traits.
pub type Context = Arc<HttpState>;

/// What the methods of the generated traits come to.
pub type ApiResult<T> = Result<JsonAnswer<T>, ApiError>;
