//! What is Stripe's own, beside what every connector has to do.

mod bench;
mod customers;
mod stories;
