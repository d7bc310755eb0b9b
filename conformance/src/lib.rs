//! A harness that checks the agreement of document, server and client of multirail. It runs servers of this build, and
//! plays the people who use them.
//!
//! - [`server`] starts a real server for one test, with a database of its own that is copied from a [`blank`] one.
//! - [`request_log`] reads what the server logged.
//! - [`shop`], [`payer`], [`receiver`] and [`mailbox`] are the people and machines of a story, with verbs.
//! - [`evidence`] turns an answer into a text for snapshots.
//!
//! The verifier (`multirail-verifier`) speaks to a server and judges it by the document alone. Scenarios use its types
//! through this crate.
//!
//! Nothing here looks into the server, its database or its domain. The simulated processor's script and ledger are the
//! other side of the wire, and count as outside.

pub mod blank;
pub mod evidence;
pub mod mailbox;
pub mod payer;
pub mod receiver;
pub mod request_log;
pub mod server;
pub mod shop;

pub use multirail_verifier::{
    authenticator, bodies, browser, document, identity_provider, judge, kit, masks, notice,
    patience, place, report, response, schema, wallet_settings, wire,
};

pub use browser::Browser;
pub use payer::Payer;
pub use receiver::Receiver;
pub use response::Response;
pub use server::{BUILT_IN, Engine, TestServer};
pub use shop::Shop;
pub use wire::{Call, Wire};
