//! Billing's statements on both engines, over the store that all subjects share.

mod catalogue;
mod invoices;
mod sql_billing;
mod subscription_turns;
mod subscriptions;
#[cfg(test)]
mod tests;

pub use sql_billing::{DECLARED, SqlBilling};
