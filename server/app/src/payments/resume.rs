//! The same request again, after its first try came to nothing: what is known of it, and doing it once more.

use multirail_domain::connector::Outcome;
use multirail_domain::ids::{PaymentId, ProcessorKey};
use multirail_domain::payment::Fact;

use super::super::idempotency::Claim;
use super::super::{App, AppError, Origin};
use super::calls::CallInputs;
use super::carry_out::Due;
use crate::ports::CommitError;

/// The operations that may confirm a payment; a repeat of one confirms it again.
const CONFIRMING: [&str; 3] = ["payments_create", "payments_update", "payments_confirm"];

impl Claim {
    /// Its request may have begun to confirm a payment.
    pub(crate) fn may_confirm(&self) -> bool {
        CONFIRMING.contains(&self.operation)
    }
}

impl App {
    /// A request's first commit failed, so that nothing of what it wanted to ask will be asked; whether it is stored
    /// nobody may know.
    pub(super) fn note_uncommitted(&self, origin: &Origin, error: &CommitError, calls: &[Due]) {
        match error {
            CommitError::Failed(_) => {
                let calls = calls.iter().filter_map(Due::key_to_do).collect();
                self.note_uncalled(origin, calls);
            }
            CommitError::Conflict | CommitError::Duplicate(_) => {}
        }
    }

    /// The request ends and these calls were not made.
    pub(super) fn note_uncalled(&self, origin: &Origin, calls: Vec<ProcessorKey>) {
        if let (Some(claim), false) = (&origin.claim, calls.is_empty()) {
            self.ended_requests.note(claim, calls);
        }
    }

    /// Takes in that calls of a request that ended here were never made. False where nothing is known of it, or what is
    /// stored is another server's.
    pub(crate) async fn settle_uncalled(
        &self,
        origin: &Origin,
        claim: &Claim,
        payment_id: &PaymentId,
    ) -> Result<bool, AppError> {
        let Some(calls) = self.ended_requests.calls_of(claim) else {
            return Ok(false);
        };
        let mut payment = self.load(&claim.merchant_id, payment_id).await?;
        let mut is_settled = false;
        for about in calls {
            if !payment
                .attempts
                .iter()
                .any(|attempt| attempt.place_of(&about).is_some())
            {
                continue;
            }
            is_settled = true;
            let reason = "the service was interrupted before it asked the processor".to_owned();
            let outcome = Outcome::NeverHappened { reason };
            let told = Fact { about, outcome };
            let stored = self.record_fact(origin, payment, told, false).await?;
            payment = self
                .carry_out(origin, stored, CallInputs::default())
                .await?;
        }
        self.ended_requests.forget(claim);
        Ok(is_settled)
    }

    /// The payment that the request is to confirm once more, if it is one of those.
    pub(super) fn resumed(&self, origin: &Origin) -> Option<PaymentId> {
        self.ended_requests.resumed(origin.claim.as_ref()?)
    }
}
