//! What checks any running server against the document of multirail. It knows of a server what the document and HTTP tell.
//!
//! - [`wire`] speaks plain HTTP and judges every answer by the document: [`judge`] has the rules.
//! - [`browser`] is a payer's, [`authenticator`] is what a person has on his telephone, [`identity_provider`] is a stand-in,
//!   and [`patience`] waits for what happens elsewhere.
//! - [`lost`] says why no answer came, [`endurance`] how long one is waited for, and [`progress`] how far a run is.
//! - [`wallet_settings`] is what an account needs so that wallets can pay.
//! - [`exchange`] keeps what was asked and answered.
//! - [`run`] makes calls and keeps the score: the [`plan`] says which ones, and a [`report`] leads from each fault to its
//!   [`place`] in the document.
//! - [`lifecycle`] tells a merchant's life in such a run. [`kit`] has it told to any running server, then tries keys and
//!   limits that it takes from the document; [`command`] is its command line.
//!
//! No story names the kit, and the run names neither.
//!
//! The document is read as it is written by hand. No server, processor or database is built with this crate.

pub mod authenticator;
pub mod bodies;
pub mod browser;
pub mod command;
pub mod document;
pub mod endurance;
pub mod exchange;
pub mod identity_provider;
pub mod judge;
pub mod kit;
pub mod lifecycle;
pub mod lost;
pub mod masks;
pub mod members;
pub mod notice;
pub mod patience;
pub mod place;
pub mod plan;
pub mod progress;
pub mod report;
pub mod response;
pub mod run;
pub mod schema;
pub mod wallet_settings;
pub mod wire;
