//! Events, endpoints and deliveries.

pub mod events;
pub mod feed;
pub mod ports;
