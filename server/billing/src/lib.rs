//! Billing: catalogues, subscriptions and invoices. It is a satellite: the program plugs it in, and the core doesn't
//! depend on it.

pub mod app;
pub mod ports;
pub mod store;
pub mod workers;
