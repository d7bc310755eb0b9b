//! Asking the processor what became of a refund, and for what was scheduled.

use multirail_kernel::context::Context;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Decline, Fact, Outcome};

use crate::operations::operation::Progress;
use crate::operations::question::{Question, Why, pause_after};
use crate::payments::payment::Payment;
use crate::payments::refund::{Effect, Refund, RefundType, Step};

/// The code under which a scheduled refund has failed whose money was gone when it was to be sent.
const NOT_COVERED_CODE: &str = "refund_not_covered";

impl Refund {
    /// Somebody has to ask the processor about it some day, or for it.
    pub fn is_open_at_processor(&self) -> bool {
        self.operation.progress.is_open()
    }

    /// What the processor is to be asked next and when, if the last question was at `now` (or there was none yet).
    pub fn question(&self, now: Timestamp, in_flight_seconds: i64) -> Option<Question<'_>> {
        let silence = now.seconds_since(self.modified_at);
        let in_pause = || now.plus_seconds(pause_after(silence)).unwrap_or(now);
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
            // Stored with it, under the version that was looked at: no dispute comes in between.
            payment.modified_at = context.now;
            // Its time to answer, and to arrive late, begins now.
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

    /// What is scheduled is judged again when it is sent, as if it were made then: a dispute may hold its money by now, or a
    /// capture was taken back. It fails rather than waits: a dispute takes months, and who was told of the failure can refund
    /// anew once it is won.
    fn refuse_to_send(&self, payment: &Payment) -> Option<Fact> {
        let left = payment.refundable_beside_others(&self.refund_id);
        if self.amount() <= left {
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

    /// It waits for somebody who asks for it the first time.
    pub fn is_to_be_sent(&self) -> bool {
        match self.refund_type {
            RefundType::Scheduled => {
                self.operation.progress == Progress::Started && self.sent_at.is_none()
            }
            RefundType::Instant => false,
        }
    }

    /// Whether this one's operation is asked about as the other's is. A note on a refund is no reason to ask at another time.
    pub fn is_asked_about_like(&self, other: &Refund) -> bool {
        self.operation == other.operation
            && self.sent_at == other.sent_at
            && self.holds_credentials() == other.holds_credentials()
    }

    /// Gives up the credentials that were brought along, once nobody asks the processor about it any more.
    pub(crate) fn delete_credentials(&mut self, now: Timestamp) -> Option<Effect> {
        if self.operation.awaits_an_answer(now) {
            return None;
        }
        let brought = self.charge.brought.as_mut()?;
        let were_held = std::mem::take(&mut brought.are_held);
        were_held.then_some(Effect::DeleteCredentials)
    }
}
