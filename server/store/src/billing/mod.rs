//! Catalogue, subscriptions and invoices.

pub(crate) mod catalogue;
pub(crate) mod invoices;
pub(crate) mod subscription_turns;
pub(crate) mod subscriptions;
pub(crate) mod tables;
