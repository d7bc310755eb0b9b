//! The ground of every subject: what a change of an object has to say of itself, and why a store fails.
//!
//! A subject describes each of its changes by the trait [`Change`], beside its statements. No list names it then.

pub mod account_limits;
mod change;
mod failure;
pub mod installation_keys;
pub mod seal;
pub mod subject_seal;
pub mod workers;

pub use change::{Change, Changes, Invalidates, PayerKey, SealedFor, Sealing, Writing};
pub use failure::{CommitError, StoreFailure};
