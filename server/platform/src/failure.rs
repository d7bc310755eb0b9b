//! Why the store didn't do what it was asked.

use multirail_sql::Standstill;

/// The store could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// Not reachable or overloaded right now; worth trying again.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Nothing can be stored until the operator has mended the cause; what is stored can be read.
    #[error("nothing can be stored: {0}: {1}")]
    Standstill(Standstill, String),
    /// What was asked for can't be read by anybody: the key that sealed it was destroyed, on purpose.
    #[error("what rests at {0} went with its key")]
    Destroyed(String),
    /// A fault: of the data, of a statement, of our own.
    #[error("the store failed: {0}")]
    Broken(String),
}

/// Why a change-set was not committed. Nothing of it was stored then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// Something was changed since it was read: load and decide again.
    #[error("the object was changed meanwhile")]
    Conflict,
    /// An object of this identity exists already; the name says which identity.
    #[error("{0} exists already")]
    Duplicate(&'static str),
    /// Something that the change-set needs is not there, or not for it; the name says what.
    #[error("{0} is gone")]
    Gone(&'static str),
    #[error(transparent)]
    Failed(#[from] StoreFailure),
}
