//! Billing: catalogues, subscriptions, invoices. A satellite: nothing of the core knows it, and the program plugs it in.

pub mod app;
pub mod ports;
pub mod store;
pub mod workers;
