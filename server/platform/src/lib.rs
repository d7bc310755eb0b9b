//! The types that every subject uses: the description of an object's change, and the failures of a store.
//!
//! A subject describes each of its changes by the trait [`Change`], next to its statements. No list names the change then.

pub mod account_limits;
mod change;
mod failure;
pub mod installation_keys;
pub mod seal;
pub mod subject_seal;
pub mod workers;

pub use change::{Change, Changes, Invalidates, PayerKey, SealedFor, Sealing, Writing};
pub use failure::{CommitError, StoreFailure};
