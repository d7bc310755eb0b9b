//! Billing over a real database of either kind, written to and read back.

mod catalogue;
mod plans;
mod records;
mod subscription_turns;
mod subscriptions;
mod test_billing;
