//! The cases of every connector, independent of the processor's language.

pub mod accounts;
pub mod debits;
pub mod disputes;
pub mod faults;
pub mod keeping;
pub mod look_ups;
pub mod methods;
pub mod notices;
pub mod payers;
pub mod paying;
pub mod raises;
pub mod refunds;
pub mod repeats;
pub mod reviews;
pub mod voids;
