//! HTTP: translates between wire and use cases. It decides nothing about payments, and knows no store and no processor.

pub mod accounts;
pub mod arms;
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

use accounts::check_limit::CheckLimit;
use platform::admin_keys::AdminKeys;
use platform::console::ConsoleSite;
use platform::cors::Cors;
use platform::document::Document;
use platform::satellite_pages::SatellitePages;
use platform::satellite_replays::SatelliteReplays;
use platform::satellites::Satellites;
use platform::stopping::Stopping;
use platform::subscriber_reader::SubscriberReader;
use platform::token_reader::TokenReader;
use platform::traffic::Traffic;

/// Implements the generated traits. It has no value: its methods get their state through [`HttpState`].
pub enum Api {}

/// The state that every request can use.
pub struct HttpState {
    pub services: Arc<Services>,
    /// True if this server is a sandbox.
    pub is_sandbox: bool,
    /// The address at which payers and processors reach us, without a trailing slash.
    pub public_url: String,
    /// The same, if the operator configured it. Processors can't be told another address.
    pub given_public_url: Option<String>,
    pub console: ConsoleSite,
    /// Reads the tokens of signed-in users.
    pub tokens: Arc<dyn TokenReader>,
    /// Reads the client secrets of subscriptions.
    pub subscribers: Arc<dyn SubscriberReader>,
    pub satellites: Satellites,
    pub satellite_pages: Arc<dyn SatellitePages>,
    pub replays: SatelliteReplays,
    pub admin_keys: AdminKeys,
    pub cors: Cors,
    /// The document as this server serves it.
    pub document: Document,
    /// True if errors also have the nested `error` object, for clients of the public server.
    pub nested_error_body: bool,
    pub limits: Limits,
    pub credential_checks: CheckLimit,
    pub traffic: Traffic,
    pub stopping: Stopping,
    /// The pages of processors inside this process, such as the simulator's.
    pub processor_pages: Option<Arc<dyn PayerPages>>,
}

/// The context type of the generated traits.
pub type Context = Arc<HttpState>;

/// The result of the methods of the generated traits.
pub type ApiResult<T> = Result<JsonAnswer<T>, ApiError>;
