//! Stripe's connector against a peer that behaves as Stripe's public reference says.

#[path = "stripe/bench.rs"]
mod bench;
#[path = "peers/stripe/mod.rs"]
mod peer;
#[path = "stripe/stories.rs"]
mod stories;
