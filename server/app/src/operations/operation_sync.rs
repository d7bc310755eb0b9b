//! Asking processors about operations that have no final answer.

use std::sync::Arc;

use super::operated::{Asked, OperatedObjects};
use crate::operations::ports::OpenOperationStore;
use crate::operations::ports::open_operations::{ClaimedOperation, OpenOutcomes, Room};
use crate::platform::base::Base;
use crate::platform::lease::Leased;
use crate::{AppError, Origin};

/// Asks about operations of every kind of object. Servers share the work by leases.
pub struct OperationSync {
    pub base: Arc<Base>,
    pub store: Arc<dyn OpenOperationStore>,
    pub objects: Arc<OperatedObjects>,
}

impl OperationSync {
    /// Takes up operations whose next question is due, for as long as a call may be under way.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError> {
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let seconds = self.base.leases.seconds(Leased::Sync);
        let claimed = self.store.claim_operations(now, wall, seconds, room);
        Ok(claimed.await?)
    }

    /// Asks about an operation that was taken up, then says when it is asked about next. Only a question that was really put
    /// lengthens the pause to the next one: a server that is killed with a claim leaves it due when the lease ends. The pause
    /// begins with the end of the question, and how far the business clock is moved meanwhile counts towards it.
    ///
    /// # Errors
    /// An object that can't be read, or a store that fails. A processor that doesn't know either is no error.
    pub async fn ask(&self, origin: &Origin, claimed: &ClaimedOperation) -> Result<(), AppError> {
        let clock = &self.base.clock;
        let advanced_before = clock.advanced_seconds();
        let unmoved_now = || {
            let moved = clock.advanced_seconds() - advanced_before;
            let now = self.base.now();
            now.plus_seconds(-moved).unwrap_or(now)
        };
        let (merchant_id, key) = (&claimed.merchant_id, &claimed.processor_key);
        let object = self.objects.of(claimed.object.class)?;
        let asked = object.ask(origin, merchant_id, &claimed.object.id, key, &unmoved_now);
        let Asked { next, result } = asked.await?;
        self.store.end_claim(claimed, next).await?;
        result
    }

    /// How many operations have no final answer.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn open_outcomes(&self) -> Result<OpenOutcomes, AppError> {
        Ok(self.store.open_outcomes().await?)
    }
}
