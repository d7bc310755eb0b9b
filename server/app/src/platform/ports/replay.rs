//! Repeats of requests whose first try died between its commits. Each kind of object whose requests have several
//! commits reports how one of them ended.

use std::fmt;

use async_trait::async_trait;

use super::idempotency::{Answer, KeyRecord};
use crate::platform::idempotency::Claim;
use crate::{AppError, Origin};

/// A kind of object, by its word in stored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectClass(&'static str);

impl ObjectClass {
    /// Returns the class with this word.
    pub const fn new(word: &'static str) -> Self {
        ObjectClass(word)
    }

    /// Returns the stored word.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ObjectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Finds out how a request ended that changed an object of this class.
#[async_trait]
pub trait Replay: Send + Sync {
    /// Returns the class, as [`Commits`](crate::platform::idempotency::Commits) names it.
    fn class(&self) -> ObjectClass;

    /// Returns the answer to store; `None` where the repeat is to carry the request out, which the claim then says.
    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError>;
}
