//! What may happen to money in multirail: pure decisions over plain values. Nothing here reads a clock, draws a random
//! number, opens a file or a connection: time and chance are handed in, and what follows from a decision is returned.
//!
//! One noun a file. A "no" is a [`Refusal`](multirail_kernel::refusal::Refusal); the HTTP layer owns the one table from
//! refusals to status codes.

pub mod acting;
pub mod api_key;
pub mod connector_account;
pub mod customer;
pub mod dispute;
pub mod error_mapping;
pub mod event_filter;
pub mod mandate;
pub mod merchant;
pub mod new_merchant;
pub mod offer;
pub mod operation;
pub mod organization;
pub mod payment;
pub mod profile;
pub mod question;
pub mod received_notice;
pub mod refund;
pub mod routing;
pub mod saved_method;
pub mod session;
pub mod webhook;
pub mod webhook_settings;
