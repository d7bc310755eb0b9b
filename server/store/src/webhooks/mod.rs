//! Events, endpoints and deliveries.

pub(crate) mod deliveries;
pub(crate) mod delivery_leases;
pub(crate) mod endpoint_events;
pub(crate) mod endpoints;
pub(crate) mod event_store;
pub(crate) mod events;
pub(crate) mod queues;
pub(crate) mod replays;
pub(crate) mod tables;
pub(crate) mod tries;
pub(crate) mod waiting;
