//! Questions to the processor about a refund, and the sending of scheduled refunds.

use multirail_kernel::context::Context;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Decline, Fact, Outcome};

use crate::operations::operation::Progress;
use crate::operations::question::{Question, Why, pause_after};
use crate::payments::payment::Payment;
use crate::payments::refund::{Effect, Refund, RefundType, Step};

/// The error code of a scheduled refund whose amount was no longer available when it was due.
const NOT_COVERED_CODE: &str = "refund_not_covered";

impl Refund {
    /// Returns whether its operation is open at the processor, so that the server has to ask or send it.
    pub fn is_open_at_processor(&self) -> bool {
        self.operation.progress.is_open()
    }

    /// Returns the next question to the processor with its time, if the last one was at `now` or there was none.
    pub fn question(&self, now: Timestamp, in_flight_seconds: i64) -> Option<Question<'_>> {
        let silence = now.seconds_since(self.modified_at);
        // A refund of an excess may be sent again and again.
        let since = match self.is_of_excess {
            true => now.seconds_since(self.created_at),
            false => silence,
        };
        let in_pause = || now.plus_seconds(pause_after(since)).unwrap_or(now);
        let asked = if self.is_to_be_sent() {
            Some((in_pause(), Why::Scheduled))
        } else {
            self.operation
                .next_question(now, silence, in_flight_seconds)
        };
        let keeps = || {
            self.holds_credentials()
                .then(|| (in_pause(), Why::KeepsCredentials))
        };
        let (due_at, why) = asked.or_else(keeps)?;
        Some(Question {
            about: &self.operation.key,
            due_at,
            why,
        })
    }

    pub(crate) fn sync(&self, payment: &Payment, context: &Context) -> Step {
        if self.is_to_be_sent()
            && let Some(refused) = self.refuse_to_send(payment)
        {
            return self.apply(payment, refused, context);
        }
        let (mut payment, mut refund) = (payment.clone(), self.clone());
        let key = || self.operation.key.clone();
        let mut effects = Vec::new();
        if self.is_to_be_sent() {
            // The payment is stored with the refund, under the version that was read, so that no dispute can come in between.
            payment.modified_at = context.now;
            // The time limits for an answer and for a late arrival begin now.
            refund.sent_at = Some(context.now);
            refund.operation.started_at = context.now;
            refund.modified_at = context.now;
            effects.push(Effect::Call(key()));
        } else if self.operation.is_to_be_asked_about(context) {
            effects.push(Effect::LookUp(key()));
        }
        effects.extend(refund.delete_credentials(context.now));
        Step {
            payment,
            refund,
            effects,
        }
    }

    /// Checks a scheduled refund again when it is due, like a new one: a dispute may hold its amount, or a capture may be
    /// reversed. It then fails instead of waiting, because a dispute takes months. The merchant can refund again after winning
    /// it.
    fn refuse_to_send(&self, payment: &Payment) -> Option<Fact> {
        let left = payment.refundable_given_others(&self.refund_id);
        if self.is_of_excess || self.amount() <= left {
            return None;
        }
        let message = format!(
            "the refund was not sent: {left} of what was captured is left for it, and disputes hold {}",
            payment.held_by_disputes()
        );
        Some(Fact {
            about: self.operation.key.clone(),
            outcome: Outcome::Declined(Decline::of_ours(NOT_COVERED_CODE, &message)),
        })
    }

    /// Returns whether the refund waits for the worker to send it the first time.
    pub fn is_to_be_sent(&self) -> bool {
        match self.refund_type {
            RefundType::Scheduled => {
                self.operation.progress == Progress::Started && self.sent_at.is_none()
            }
            RefundType::Instant => false,
        }
    }

    /// Returns whether the processor is asked about both versions of the refund at the same times. A changed note, for
    /// instance, doesn't change them.
    pub fn is_asked_about_like(&self, other: &Refund) -> bool {
        self.operation == other.operation
            && self.sent_at == other.sent_at
            && self.holds_credentials() == other.holds_credentials()
    }

    /// Deletes the credentials of the request once the processor is no longer asked.
    pub(crate) fn delete_credentials(&mut self, now: Timestamp) -> Option<Effect> {
        if self.operation.awaits_an_answer(now) {
            return None;
        }
        let brought = self.charge.brought.as_mut()?;
        let were_held = std::mem::take(&mut brought.are_held);
        were_held.then_some(Effect::DeleteCredentials)
    }
}
