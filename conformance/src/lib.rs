//! What proves that document, server and client of multirail agree.
//!
//! - [`wire`] speaks plain HTTP and judges every answer by the document: [`judge`] has the rules.
//! - [`server`] boots a real server for one test, with a database of its own that is copied from a [`blank`] one; [`shop`],
//!   [`payer`], [`browser`] and [`receiver`] are the people and machines of a story, with verbs, [`authenticator`] is what
//!   one of them has on his telephone, and [`patience`] waits for what happens elsewhere.
//! - [`lost`] says why no answer came, [`endurance`] how long one is waited for, and [`progress`] how far a run is.
//! - [`wallet_settings`] is what an account needs so that wallets can pay.
//! - [`exchange`] keeps what was asked and answered; [`mutation`] changes the document in one place after the other and
//!   looks whether something of that notices.
//! - [`kit`] is what the command does to any running server: it tells a merchant's [`lifecycle`], tries keys and limits that it
//!   takes from the document, and writes a [`report`] that leads from each fault to its [`place`] in the document; [`command`] is
//!   its command line.
//!
//! The document is read as it is written by hand. Nothing here looks into the server, its database or its domain; the
//! simulated processor's script and ledger are the other side of the wire, and count as outside.

pub mod authenticator;
pub mod blank;
pub mod bodies;
pub mod browser;
pub mod command;
pub mod document;
pub mod endurance;
pub mod evidence;
pub mod exchange;
pub mod identity_provider;
pub mod judge;
pub mod kit;
pub mod lifecycle;
pub mod lost;
pub mod mailbox;
pub mod masks;
pub mod mutation;
pub mod notice;
pub mod patience;
pub mod payer;
pub mod place;
pub mod progress;
pub mod receiver;
pub mod report;
pub mod response;
pub mod schema;
pub mod server;
pub mod shop;
pub mod wallet_settings;
pub mod wire;

pub use browser::Browser;
pub use payer::Payer;
pub use receiver::Receiver;
pub use response::Response;
pub use server::{Engine, TestServer};
pub use shop::Shop;
pub use wire::{Call, Wire};
