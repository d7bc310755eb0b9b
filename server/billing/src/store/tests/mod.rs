//! Tests of billing's store on a real database of each engine.

mod catalogue;
mod plans;
mod records;
mod subscription_turns;
mod subscriptions;
mod test_billing;
