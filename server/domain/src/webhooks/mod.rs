//! Events, endpoints and deliveries.

pub mod event_filter;
pub mod webhook;
