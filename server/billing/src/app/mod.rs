//! Use cases of billing.

pub mod catalogue;
pub mod subscriptions;
