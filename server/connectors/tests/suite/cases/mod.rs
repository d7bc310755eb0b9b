//! What every connector has to do. A case says nothing about how a processor says it.

pub mod accounts;
pub mod disputes;
pub mod faults;
pub mod keeping;
pub mod look_ups;
pub mod notices;
pub mod payers;
pub mod paying;
pub mod raises;
pub mod refunds;
pub mod repeats;
pub mod reviews;
pub mod voids;
