//! What is announced of a fact about a capture or a void.

use multirail_kernel::event::EventType;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    AnnouncedStatus, Announcement, AttemptStatus, Effect, Operation, Payment, PaymentStatus,
    Progress,
};

impl Payment {
    /// Whether what has become of it since `before` comes when nobody waits for it any more: it had ended, or may have, because one
    /// that is captured more than once ends more than once. So is what its payer has back by refunds and disputes.
    pub fn is_late_news(&self, before: &Payment) -> bool {
        let may_have_ended = self.has_ended() && self.active().captures.len() > 1;
        let taken_back = |of: &Payment| of.taken_back_beside(|_| false);
        (before.has_ended() || may_have_ended) && self.status != before.status
            || taken_back(self) != taken_back(before)
    }

    /// Whether it has had no outcome before, and has one now.
    pub fn is_decided_since(&self, before: &Payment) -> bool {
        self.has_ended() && !before.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.status.is_terminal() || self.status == PaymentStatus::Conflicted
    }
}

/// What was known of the operation that a fact is about.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) progress: Progress,
    pub(crate) status: AttemptStatus,
    pub(crate) payment_status: PaymentStatus,
}

impl Before {
    /// Captures and voids decide, or decide again because one that was done is taken back: nothing else is news of those.
    pub(crate) fn is_undecided(self) -> bool {
        self.status.phase() == Phase::Held || self.is_taken_back()
    }

    pub(crate) fn is_taken_back(self) -> bool {
        self.progress == Progress::Done
    }
}

/// What a fact about a capture or a void is worth telling for.
pub(crate) struct Said {
    /// Money was taken.
    pub(crate) taken: bool,
    /// The processor's first word is that it doesn't know yet.
    pub(crate) first_word: bool,
    /// The processor refused a capture or a void, or took a capture back.
    pub(crate) refused: bool,
    /// A capture or a void that had been told of as open never happened.
    pub(crate) lost: bool,
    /// What it is about.
    pub(crate) about: String,
}

impl Payment {
    /// What is announced of a fact about a capture or a void: as a rule the event of the status that was reached.
    pub(crate) fn news(&self, before: Before, said: Said) -> Option<Effect> {
        // The authorization still stands and somebody has to capture again or cancel: no status tells that.
        if (said.refused || said.lost) && self.amounts().capturable > 0 {
            return Some(self.announce(EventType::ActionRequired, said.about));
        }
        let changed = self.status != before.payment_status;
        let was_processing = before.payment_status == PaymentStatus::Processing;
        let is_news = match self.status {
            // A payment goes back to one of these when an operation comes to nothing: the authorization is old news.
            PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => false,
            PaymentStatus::Processing => said.first_word || (changed && !was_processing),
            PaymentStatus::Succeeded => said.taken || changed,
            PaymentStatus::PartiallyCaptured
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => {
                // A capture that comes to nothing is no news of the captures before it.
                let is_back = before.payment_status
                    == PaymentStatus::PartiallyCapturedAndProcessing
                    && !self.status.is_terminal();
                said.taken || self.waits_for_the_rest(&said) || (changed && !is_back)
            }
            PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Expired
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Conflicted
            | PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation => changed,
        };
        let event = self.status.event().filter(|_| is_news)?;
        // What becomes of that capture in the end is news of its own.
        let about = if self.waits_for_the_rest(&said) {
            format!("{}_pending", said.about)
        } else {
            said.about
        };
        Some(self.announce(event, about))
    }

    /// The processor has left the capture open that would take all that is left.
    fn waits_for_the_rest(&self, said: &Said) -> bool {
        said.first_word && self.status == PaymentStatus::PartiallyCapturedAndProcessing
    }

    pub(crate) fn announce(&self, event_type: EventType, about: String) -> Effect {
        // What is captured once more after it was taken back is told once more, and so is what is voided once more.
        let attempt = self.active();
        let mut voids = attempt.post_capture_voids.iter();
        let is_again = (event_type == EventType::PaymentSucceeded && attempt.was_taken_back())
            || (event_type == EventType::PaymentCancelledPostCapture
                && voids.any(|void| void.operation.is_taken_back()));
        let about = if event_type.comes_again() || is_again {
            about
        } else {
            self.payment_id.to_string()
        };
        Effect::Announce(Announcement {
            event_type,
            status: AnnouncedStatus::Payment(self.status),
            about,
        })
    }
}

/// That something is taken back is news of its own: it may have been told of before, as done or as refused.
pub(crate) fn news_is_about(name: String, operation: &Operation) -> String {
    if operation.is_taken_back() {
        format!("{name}_taken_back")
    } else {
        name
    }
}
