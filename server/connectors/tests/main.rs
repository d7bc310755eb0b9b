//! What every connector has to do, in one list of cases, against a stand-in of its processor.

mod peers;
mod suite;

suite::contract!(simulator, crate::peers::simulator::start);
suite::contract!(adyen, crate::peers::adyen::start);
