//! SQLite's disk is full, limited, gone, used by another process, or untrustworthy. Each story has its own server
//! process, because these faults used to end the process.

mod fate;
mod full;
mod gone;
pub mod process;
