//! Failures of the store.

use multirail_sql::Standstill;

/// The store could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// Unreachable or overloaded at present; worth another attempt.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Nothing can be stored until the operator has removed the cause; stored data can be read.
    #[error("nothing can be stored: {0}: {1}")]
    Standstill(Standstill, String),
    /// The data is unreadable for good: the key that sealed it was destroyed on purpose.
    #[error("the data at {0} is unreadable: its key was destroyed")]
    Destroyed(String),
    /// A fault in the data, in a statement, or in our code.
    #[error("the store failed: {0}")]
    Broken(String),
}

/// Why a change-set was not committed. None of it was stored. `G` enumerates the core's objects that may be gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError<G> {
    /// An object has changed since it was read: load and decide again.
    #[error("the object was changed meanwhile")]
    Conflict,
    /// An object with this identity exists already; the name says which identity.
    #[error("{0} exists already")]
    Duplicate(&'static str),
    /// An object that the change-set needs is missing or unsuitable.
    #[error("{0} is gone")]
    Gone(G),
    #[error(transparent)]
    Failed(#[from] StoreFailure),
}
