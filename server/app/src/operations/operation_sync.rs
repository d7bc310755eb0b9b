//! Asks processors about operations without a final answer.

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
    /// Claims operations whose next question is due, for the longest time of a call.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError> {
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let seconds = self.base.leases.seconds(Leased::Sync);
        let claimed = self.store.claim_operations(now, wall, seconds, room);
        Ok(claimed.await?)
    }

    /// Asks about a claimed operation, then stores the time of the next question. Only a question that was really asked
    /// lengthens the pause: the claim of a killed server is due again when its lease ends. The pause begins when the
    /// question ends. A move of the business clock meanwhile counts towards the pause.
    ///
    /// # Errors
    /// An object that can't be read, or a store that fails. An outcome that stays unknown is no error.
    pub async fn ask(&self, origin: &Origin, claimed: &ClaimedOperation) -> Result<(), AppError> {
        let clock = &self.base.clock;
        let advanced_before = clock.advanced_seconds();
        let unmoved_now = || {
            let moved = clock.advanced_seconds() - advanced_before;
            let now = self.base.now();
            now.plus_seconds(-moved).unwrap_or(now)
        };
        let (merchant_id, key) = (&claimed.merchant_id, &claimed.processor_key);
        let object = self.objects.get(claimed.object.class)?;
        let asked = object.ask(origin, merchant_id, &claimed.object.id, key, &unmoved_now);
        let Asked { next, result } = asked.await?;
        self.store.end_claim(claimed, next).await?;
        result
    }

    /// Counts the operations without a final answer.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn open_outcomes(&self) -> Result<OpenOutcomes, AppError> {
        Ok(self.store.open_outcomes().await?)
    }
}
