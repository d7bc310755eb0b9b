//! Queues events again that an operator chooses.

use multirail_kernel::refusal::Refusal;

use super::Events;
use crate::AppError;
use crate::webhooks::ports::events::Replay;

/// The result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub dry_run: bool,
    /// The number of events that match.
    pub matched: i64,
    /// The number of events that were queued; 0 in a dry run.
    pub queued: i64,
}

impl Events {
    /// Queues every event that matches, or only counts them.
    ///
    /// # Errors
    /// A replay without any filter, an unknown merchant account or profile.
    pub async fn replay(&self, replay: Replay, dry_run: bool) -> Result<Replayed, AppError> {
        if replay.profile_id.is_none() {
            if replay.created_after.is_none() {
                return Err(Refusal::missing("created_after or profile_id").into());
            }
            if !replay.only_failed {
                return Err(Refusal::missing("profile_id").into());
            }
        }
        self.check_owner(&replay.merchant_id, replay.profile_id.as_ref())
            .await?;
        if dry_run {
            let matched = self.store.count_replay(&replay).await?;
            return Ok(Replayed {
                dry_run,
                matched,
                queued: 0,
            });
        }
        let queued = self.store.queue_replay(&replay, self.base.now()).await?;
        tracing::info!(merchant_id = %replay.merchant_id, queued, "events are delivered once more");
        let queued = i64::try_from(queued).unwrap_or(i64::MAX);
        Ok(Replayed {
            dry_run,
            // The statement that queued the events counts them, because new events happen all the time.
            matched: queued,
            queued,
        })
    }
}
