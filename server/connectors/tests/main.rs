//! Runs the same list of cases for every connector, against a stand-in of its processor.

mod peer;
mod peers;
#[path = "stripe/mod.rs"]
mod stripe_stories;
mod suite;

suite::contract!(simulator, crate::peers::simulator::start);
suite::contract!(adyen, crate::peers::adyen::start);
suite::contract!(checkout, crate::peers::checkout::start);
suite::contract!(stripe, crate::peers::stripe::start);
