//! Ports of ports, as traits.

pub mod store;

pub use store::{Database, Store};
