//! HTTP: translates. Decides nothing about payments, and knows no store and no processor.

mod acting;
pub mod admin_keys;
pub mod answer_quota;
mod api_keys;
mod audit;
mod business_profiles;
mod caller;
mod card_numbers;
mod connector_accounts;
pub mod convert;
pub mod cors;
mod customers;
mod disclosure;
mod disputes;
pub mod document;
mod dynamic_routing;
mod error_mappings;
pub mod errors;
pub mod event_content;
mod events;
pub mod forwarded;
mod health;
pub mod hooks;
mod idempotency;
mod keys;
mod link_page;
mod mandates;
mod merchant_accounts;
pub mod nested;
mod not_built;
mod notices;
mod offered_methods;
mod operation_groups;
mod organizations;
pub mod origin;
pub mod pages;
mod payer_page;
mod payments;
pub mod places;
pub mod rate_limit;
mod refunds;
mod replays;
mod request_id;
mod routing;
mod sandbox;
pub mod satellite_pages;
pub mod satellite_replays;
pub mod satellites;
mod saved_methods;
pub mod scope;
mod sender;
mod start_page;
pub mod stopping;
pub mod subscriber_reader;
pub mod token_reader;
pub mod traffic;
mod unresolved_operations;

use std::sync::Arc;

use multirail_api::{ApiError, JsonAnswer, Limits};
use multirail_app::Services;
use multirail_app::ports::PayerPages;

use admin_keys::AdminKeys;
use cors::Cors;
use document::Document;
use satellite_pages::SatellitePages;
use satellite_replays::SatelliteReplays;
use satellites::Satellites;
use stopping::Stopping;
use subscriber_reader::SubscriberReader;
use token_reader::TokenReader;
use traffic::Traffic;

/// Implements the generated traits. Never made: its methods get what they need through [`HttpState`].
pub enum Api {}

/// What every request can reach.
pub struct HttpState {
    pub app: Arc<Services>,
    /// Knows who signed in.
    pub tokens: Arc<dyn TokenReader>,
    /// Knows whose client secret of a subscription a call presents.
    pub subscribers: Arc<dyn SubscriberReader>,
    pub satellites: Satellites,
    pub satellite_pages: Arc<dyn SatellitePages>,
    pub replays: Arc<dyn SatelliteReplays>,
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
