//! What may happen to money in multirail: pure decisions over plain values. Nothing here reads a clock, draws a random
//! number, opens a file or a connection: time and chance are handed in, and what follows from a decision is returned.
//!
//! One noun a file. A "no" is a [`refusal::Refusal`]; the HTTP layer owns the one table from refusals to status codes.

pub mod acting;
pub mod address;
pub mod announcement;
pub mod api_key;
pub mod audit;
pub mod billing;
pub mod card;
pub mod clock;
pub mod connector;
pub mod connector_account;
pub mod context;
pub mod country;
pub mod currency;
pub mod customer;
pub mod disclosure;
pub mod dispute;
pub mod environment;
pub mod error_mapping;
pub mod event;
pub mod event_filter;
pub mod idempotency;
pub mod ids;
pub mod mandate;
pub mod masking;
pub mod merchant;
pub mod money;
pub mod new_merchant;
pub mod notes;
pub mod offer;
mod open_json;
pub mod operation;
pub mod organization;
pub mod payment;
pub mod payment_method;
pub mod profile;
pub mod proxy_address;
pub mod question;
pub mod random;
pub mod received_notice;
mod record_object;
pub mod refund;
pub mod refusal;
pub mod routing;
pub mod saved_method;
pub mod secret;
pub mod session;
pub mod subscription;
pub mod timestamp;
pub mod unread;
pub mod user;
pub mod web_address;
pub mod webhook;
pub mod webhook_settings;
pub mod words;
