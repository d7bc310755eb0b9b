//! Announcements of captures and voids.

use multirail_kernel::event::EventType;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    AnnouncedStatus, Announcement, AttemptStatus, Effect, Operation, Payment, PaymentStatus,
    Progress,
};

impl Payment {
    /// Returns whether the change since `before` comes after the payment's end. A payment with several captures may end more
    /// than once. New refunds and disputes count as late too.
    pub fn is_late_news(&self, before: &Payment) -> bool {
        let may_have_ended = self.has_ended() && self.active().captures.len() > 1;
        let taken_back = |of: &Payment| of.returned_except(|_| false);
        (before.has_ended() || may_have_ended) && self.status != before.status
            || taken_back(self) != taken_back(before)
    }

    /// Returns whether the payment has ended since `before`.
    pub fn is_decided_since(&self, before: &Payment) -> bool {
        self.has_ended() && !before.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.status.is_terminal() || self.status == PaymentStatus::Conflicted
    }
}

/// The state before a fact about an operation.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) progress: Progress,
    pub(crate) status: AttemptStatus,
    pub(crate) payment_status: PaymentStatus,
}

impl Before {
    /// Returns whether captures and voids still decide the status, or decide it again after a reversal. Other facts about them
    /// are no news.
    pub(crate) fn is_undecided(self) -> bool {
        self.status.phase() == Phase::Held || self.is_taken_back()
    }

    pub(crate) fn is_taken_back(self) -> bool {
        self.progress == Progress::Done
    }
}

/// The news in a fact about a capture or a void.
pub(crate) struct Said {
    /// Money was captured.
    pub(crate) taken: bool,
    /// The processor's first answer is that it doesn't know yet.
    pub(crate) first_word: bool,
    /// The processor refused a capture or a void, or reversed a capture.
    pub(crate) refused: bool,
    /// A capture or a void that was announced as open never happened.
    pub(crate) lost: bool,
    /// The name of the operation in the event.
    pub(crate) about: String,
}

impl Payment {
    /// Returns the announcement of a fact about a capture or a void: usually the event of the new status.
    pub(crate) fn news(&self, before: Before, said: Said) -> Option<Effect> {
        // The authorization still exists, and the merchant has to capture again or cancel: no status announces that.
        if (said.refused || said.lost) && self.amounts().capturable > 0 {
            return Some(self.announce(EventType::ActionRequired, said.about));
        }
        let changed = self.status != before.payment_status;
        let was_processing = before.payment_status == PaymentStatus::Processing;
        let is_news = match self.status {
            // A return to one of these after a failed operation isn't announced again.
            PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => false,
            PaymentStatus::Processing => said.first_word || (changed && !was_processing),
            PaymentStatus::Succeeded => said.taken || changed,
            PaymentStatus::PartiallyCaptured
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => {
                // A failed capture that only returns to the former status isn't announced.
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
        // The final result of that capture needs another event name.
        let about = if self.waits_for_the_rest(&said) {
            format!("{}_pending", said.about)
        } else {
            said.about
        };
        Some(self.announce(event, about))
    }

    /// Returns whether the processor left the capture open that would take the whole rest.
    fn waits_for_the_rest(&self, said: &Said) -> bool {
        said.first_word && self.status == PaymentStatus::PartiallyCapturedAndProcessing
    }

    pub(crate) fn announce(&self, event_type: EventType, about: String) -> Effect {
        // A capture or void that is repeated after a reversal is announced again.
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

/// Returns the event name of an operation. A reversal has another name, because the operation may have been announced before,
/// as done or refused.
pub(crate) fn news_is_about(name: String, operation: &Operation) -> String {
    if operation.is_taken_back() {
        format!("{name}_taken_back")
    } else {
        name
    }
}
