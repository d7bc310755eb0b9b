//! Checks any running server against the document of multirail. It knows the server only through the document and
//! HTTP.
//!
//! - [`wire`] speaks plain HTTP and checks every answer against the document with the rules of [`judge`].
//! - [`browser`] is a payer's browser, [`authenticator`] a person's authenticator, and [`identity_provider`] a
//!   stand-in. [`patience`] waits for asynchronous work.
//! - [`lost`] explains why no answer came, [`endurance`] limits the waiting, and [`progress`] shows the progress of a
//!   run.
//! - [`wallet_settings`] configures an account for wallet payments.
//! - [`exchange`] records requests and answers.
//! - [`run`] makes calls and collects outcomes. [`plan`] decides which operations are called. A [`report`] leads from
//!   each fault to its [`place`] in the document.
//! - [`lifecycle`] plays a merchant's life in such a run. [`kit`] plays it on any running server, then checks keys
//!   and limits from the document. [`command`] is its command line.
//!
//! Stories don't use the kit, and the run uses neither.
//!
//! The document is read from its source text. The crate builds without the server, processors and databases.

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
