//! The end of a hold: a processor keeps what was authorized for so long, and then sets free what nobody has captured.
//!
//! No clock of ours ends a payment. From `capture_before` on the processor is asked how the authorization stands, and its word
//! that it is over ends it.

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
    /// What was authorized is over at the processor, and what was not captured is free.
    pub(crate) fn end_hold(&mut self, index: usize, context: &Context) -> Option<Vec<Effect>> {
        let attempt = &mut self.attempts[index];
        attempt.held_authorization()?;
        let status = attempt.status;
        attempt.lapsed_at = Some(context.now);
        attempt.modified_at = context.now;
        self.modified_at = context.now;
        let before = Before {
            // Whether it still stands was open.
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

    /// The payment itself wants what is authorized to stand longer than usual. Of what is taken at once nothing stands.
    pub(crate) fn wants_longer(&self) -> bool {
        self.particulars.request_extended_authorization == Some(true)
            && !self.terms.captures_at_once()
    }

    /// Whether the processor lets what is authorized stand longer; unset where it was not asked or has not said.
    pub fn is_told_to_stand_longer(&self) -> Option<bool> {
        let attempt = self.active();
        let said = attempt.hold.as_ref()?.is_extended;
        said.filter(|_| self.asks_longer(attempt))
    }

    /// Whether a fact says that what was approved is over.
    pub fn is_told_expired(&self, fact: &Fact) -> bool {
        self.attempts.iter().any(|attempt| {
            let of = attempt.index_of(&fact.about);
            of.is_some_and(|of| attempt.is_told_expired(of, &fact.outcome))
        })
    }
}

impl Attempt {
    /// Until when what was authorized can be captured, as far as the processor says.
    pub fn capture_before(&self) -> Option<Timestamp> {
        self.hold.as_ref()?.capture_before
    }

    /// An authorization is approved once: what is refused of it later is what was left to capture.
    pub(crate) fn is_told_expired(&self, of: OperationIndex, outcome: &Outcome) -> bool {
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

    /// The authorization that holds what captures may take.
    fn held_authorization(&self) -> Option<&Operation> {
        let is_held = self.status.phase() == Phase::Held
            && !self.captures_at_once
            && self.lapsed_at.is_none();
        self.authorization
            .as_ref()
            .filter(|authorization| is_held && authorization.is_done())
    }

    /// The authorization of which the processor is asked whether it still stands.
    pub(crate) fn overdue_authorization(&self, now: Timestamp) -> Option<&ProcessorKey> {
        let is_overdue = self.capture_before().is_some_and(|end| end <= now);
        let authorization = self.held_authorization().filter(|_| is_overdue)?;
        Some(&authorization.key)
    }

    /// When the processor is asked whether the authorization still stands. A capture that is scheduled earlier learns it by
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
