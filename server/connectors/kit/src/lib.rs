//! The border between the connectors and the program that is built with them.
//!
//! The program hands a [`ConnectorSet`] to the server, which names no connector. A change of a connector therefore
//! compiles the connectors and links the program, and nothing in between.

mod client_settings;
mod connector_set;
pub mod stories;
mod test_mode;

pub use client_settings::ClientSettings;
pub use connector_set::{ConnectorSet, Known, Simulators};
pub use test_mode::{CardThat, TestAccount, TestCard, TestMode};
