//! Events, endpoints and deliveries.

pub mod convert;
pub(crate) mod endpoints;
pub(crate) mod events;
mod follow;
