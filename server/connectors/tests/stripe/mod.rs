//! Cases that only Stripe has.

mod bench;
mod customers;
mod payer_methods;
mod stories;
