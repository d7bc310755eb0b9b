//! Events, endpoints and deliveries.

pub mod convert;
pub(crate) mod events;
mod follow;
