//! The expiry of an authorization: the processor holds the amount for a limited time and then releases the rest.
//!
//! The server's clock never ends a payment. From `capture_before` on the server asks the processor, and only its answer ends
//! the authorization.

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Outcome;

use crate::operations::question::{Question, Why, pause_after};
use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::news::{Before, Said};
use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, Effect, Fact, Operation, Payment, Progress};

impl Payment {
    /// Records that the authorization expired at the processor and that the uncaptured amount is released.
    pub(crate) fn end_hold(&mut self, index: usize, context: &Context) -> Option<Vec<Effect>> {
        let attempt = &mut self.attempts[index];
        attempt.held_authorization()?;
        let status = attempt.status;
        attempt.lapsed_at = Some(context.now);
        attempt.modified_at = context.now;
        self.modified_at = context.now;
        let before = Before {
            // The expiry was an open question before.
            progress: Progress::Pending,
            status,
            payment_status: self.status,
        };
        let said = Said {
            taken: false,
            first_word: false,
            refused: false,
            lost: false,
            about: format!("{}_lapsed", self.attempt_id(self.attempts[index].number)),
        };
        Some(self.settle(index, before, said))
    }

    /// Returns whether the payment itself asks for a longer validity of its authorization. An automatic capture leaves nothing
    /// to extend.
    pub(crate) fn wants_longer(&self) -> bool {
        self.particulars.request_extended_authorization == Some(true)
            && !self.terms.captures_at_once()
    }

    /// Returns whether the processor extends the validity of the authorization; `None` if it wasn't asked or hasn't answered.
    pub fn is_validity_extended(&self) -> Option<bool> {
        let attempt = self.active();
        let said = attempt.hold.as_ref()?.is_extended;
        said.filter(|_| self.asks_longer(attempt))
    }

    /// Returns whether a fact says that the authorization expired.
    pub fn reports_expiry(&self, fact: &Fact) -> bool {
        self.attempts.iter().any(|attempt| {
            let of = attempt.index_of(&fact.about);
            of.is_some_and(|of| attempt.reports_expiry(of, &fact.outcome))
        })
    }
}

impl Attempt {
    /// Returns until when the authorization can be captured, as far as the processor says.
    pub fn capture_before(&self) -> Option<Timestamp> {
        self.hold.as_ref()?.capture_before
    }

    /// Returns whether the outcome says that the authorization expired. An approved authorization is final, so a later refusal
    /// concerns the amount that is left to capture.
    pub(crate) fn reports_expiry(&self, of: OperationIndex, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Declined(decline) => {
                of == OperationIndex::Authorization
                    && decline.authorization_gone
                    && !self.captures_at_once
                    && self.authorization.as_ref().is_some_and(Operation::is_done)
            }
            Outcome::Done(_)
            | Outcome::CustomerMustAct { .. }
            | Outcome::DeviceDataNeeded { .. }
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => false,
        }
    }

    /// Returns the authorization, if captures may still take from it.
    fn held_authorization(&self) -> Option<&Operation> {
        let is_held = self.status.phase() == Phase::Held
            && !self.captures_at_once
            && self.lapsed_at.is_none();
        self.authorization
            .as_ref()
            .filter(|authorization| is_held && authorization.is_done())
    }

    /// Returns the authorization whose validity the processor has to be asked about.
    pub(crate) fn overdue_authorization(&self, now: Timestamp) -> Option<&ProcessorKey> {
        let is_overdue = self.capture_before().is_some_and(|end| end <= now);
        let authorization = self.held_authorization().filter(|_| is_overdue)?;
        Some(&authorization.key)
    }

    /// Returns when the processor is asked about the authorization's validity. A capture that is scheduled earlier finds out
    /// itself.
    pub(crate) fn expiry_question(&self, now: Timestamp) -> Option<Question<'_>> {
        let capture_before = self.capture_before()?;
        let authorization = self.held_authorization()?;
        let scheduled = self.scheduled_and_awaited();
        if scheduled.is_some_and(|scheduled| scheduled.due_at < capture_before) {
            return None;
        }
        let due_at = if capture_before > now {
            capture_before
        } else {
            let pause = pause_after(now.seconds_since(capture_before));
            now.plus_seconds(pause).unwrap_or(now)
        };
        Some(Question {
            about: &authorization.key,
            due_at,
            why: Why::MayExpire,
        })
    }
}
