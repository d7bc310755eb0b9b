//! Repeats of requests whose first try died between its commits, where the object belongs to a satellite.

use async_trait::async_trait;

use super::idempotency::{Answer, KeyRecord};
use crate::idempotency::Claim;
use crate::{AppError, Origin};

/// Finds out how such a request ended.
#[async_trait]
pub trait Replay: Send + Sync {
    /// Returns the answer to store; nothing where the repeat is to carry the request out once more, as the claim says then.
    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError>;
}
