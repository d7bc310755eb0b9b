//! Cases that only Stripe has.

mod bench;
mod customers;
mod stories;
