//! Events, endpoints and deliveries.

pub mod events;
pub mod ports;
