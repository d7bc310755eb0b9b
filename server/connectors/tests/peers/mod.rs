//! The stand-ins of all processors, connected to the suite.

pub mod adyen;
pub mod checkout;
pub mod recorded;
pub mod simulator;
mod snapshots;
pub mod stand_in;
pub mod stripe;
