//! The ground of every subject: what a change of an object has to say of itself, and why a store fails.
//!
//! A subject describes each of its changes by the trait [`Change`], beside its statements. No list names it then.

mod change;
mod failure;

pub use change::{Change, Changes, Invalidates, SealedFor, Sealing, Writing};
pub use failure::{CommitError, StoreFailure};
