//! Calls that a request stored and never made, because it ended before them.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Fact, Outcome};

use super::Driver;
use super::aggregate::{Aggregate, Due, ProcessorCall};
use crate::platform::idempotency::Claim;
use crate::platform::ports::CommitError;
use crate::{AppError, Origin};

impl Driver {
    /// Notes the calls of a request whose commit failed. None of them will be made, though the commit may be stored.
    pub(crate) fn note_uncommitted<C: ProcessorCall>(
        &self,
        origin: &Origin,
        error: &CommitError,
        calls: &[Due<C>],
    ) {
        match error {
            CommitError::Failed(_) => {
                let calls = calls.iter().filter_map(Due::key_to_do).collect();
                self.note_uncalled(origin, calls);
            }
            CommitError::Conflict | CommitError::Duplicate(_) | CommitError::Gone(_) => {}
        }
    }

    /// Notes calls that a request didn't make before it ended.
    pub(crate) fn note_uncalled(&self, origin: &Origin, calls: Vec<ProcessorKey>) {
        if let (Some(claim), false) = (&origin.claim, calls.is_empty()) {
            self.ended_requests.note(claim, calls);
        }
    }

    /// Records that a request that ended in this process never made its calls. Returns whether the request has ended:
    /// `false` where this process doesn't know it, or another server has claimed the key since.
    pub(crate) async fn settle_uncalled<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        claim: &Claim,
        id: &A::Id,
        lease_until: Timestamp,
    ) -> Result<bool, AppError> {
        let Some(ended) = self.ended_requests.find(claim) else {
            return Ok(false);
        };
        let mut object = A::load(services, &claim.merchant_id, id).await?;
        let mut is_settled = false;
        for about in ended.calls {
            if object.operation(&about).is_none() {
                continue;
            }
            is_settled = true;
            let outcome = Outcome::never_happened(
                "the service was interrupted before it asked the processor",
            );
            let fact = Fact { about, outcome };
            let stored = self
                .record_fact(services, origin, object, fact, false, None)
                .await?;
            let carried_out = self.carry_out(services, origin, stored, A::Inputs::default());
            object = carried_out.await?.object;
        }
        if is_settled {
            self.ended_requests.settle(claim, lease_until);
        }
        Ok(is_settled || ended.settled_with == Some(lease_until))
    }
}
