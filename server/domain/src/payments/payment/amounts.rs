//! Amounts derived from the processor's answers: those of one attempt, and those that merchants read. (Specification 2.10)

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, CaptureMethod, Operation, Payment, PaymentStatus};

/// Amounts in minor units of the payment's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// `net_amount`: the total that the payer pays.
    pub net: i64,
    /// `amount_capturable`: the amount that captures may still take.
    pub capturable: i64,
    /// `amount_received`: the amount that was certainly captured; `None` before the confirm.
    pub received: Option<i64>,
}

impl Payment {
    /// Returns the present amounts.
    pub fn amounts(&self) -> Amounts {
        let attempt = self.active();
        let captured = attempt.captured_amount();
        let (capturable, received) = match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
                (self.terms.total(), None)
            }
            PaymentStatus::PartiallyCapturedAndCapturable
                if attempt.is_being_voided_after_capture() =>
            {
                (0, Some(captured))
            }
            PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => {
                (self.most_to_capture(), Some(captured))
            }
            PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => {
                (attempt.uncaptured_amount(), Some(captured))
            }
            PaymentStatus::Processing => {
                let takes_more = self.terms.capture_method == CaptureMethod::ManualMultiple
                    && !attempt.is_being_voided();
                let capturable = if takes_more {
                    attempt.uncaptured_amount()
                } else {
                    0
                };
                (capturable, Some(captured))
            }
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => (0, Some(captured)),
        };
        Amounts {
            net: self.terms.total(),
            capturable,
            received,
        }
    }
}

/// All amounts are in minor units of the payment's currency, and none is negative. Captured, pending and voided amounts
/// together never exceed the capturable limit, whatever the processor says and in any order.
impl Attempt {
    /// Returns the total that captures may take: the authorized amount, or more if the processor permits overcapture. If the
    /// processor captured even more, the attempt is in conflict and the limit is the captured amount.
    pub fn capturable_limit(&self) -> i64 {
        match self.status.phase() {
            Phase::Conflicted => self.most_capturable().max(self.captured_amount()),
            Phase::NotSent
            | Phase::Authorizing
            | Phase::InReview
            | Phase::Held
            | Phase::Taken
            | Phase::Standing
            | Phase::Unwanted => self.most_capturable(),
        }
    }

    /// Returns the amount that was certainly captured and not reversed.
    pub fn captured_amount(&self) -> i64 {
        let taken = if !self.captures_at_once {
            self.taken_by_captures()
        } else if self.is_reversed() {
            0
        } else {
            self.authorized()
        };
        taken.saturating_sub(self.voided_after_capture()).max(0)
    }

    /// Returns the amount that open captures may still take, at most the remaining one.
    pub fn pending_capture_amount(&self) -> i64 {
        let open = self.captures.iter().map(|capture| &capture.operation);
        let asked = open
            .filter(|operation| operation.is_open())
            .fold(0, |sum: i64, operation| {
                sum.saturating_add(operation.amount)
            });
        let most = self
            .most_capturable()
            .saturating_sub(self.captured_amount());
        asked.min(most.max(0))
    }

    /// Returns the amount that a void released or reversed: the rest after captures, or all of the captured amount.
    pub fn voided_amount(&self) -> i64 {
        let voided = if self.is_voided_after_capture() {
            true
        } else if self.captures_at_once {
            self.is_reversed()
        } else {
            self.voids.iter().any(Operation::is_done)
        };
        if voided {
            self.rest_after_open_captures()
        } else {
            0
        }
    }

    /// Returns the largest amount of a further capture, whatever the status: the authorized amount without captured and pending
    /// ones. It is 0 if the authorization is gone.
    pub fn uncaptured_amount(&self) -> i64 {
        if self.authorization_is_gone() || self.is_voided_after_capture() {
            0
        } else {
            self.rest_after_open_captures()
        }
    }

    /// Returns the authorized amount without captured and pending ones.
    fn rest_after_open_captures(&self) -> i64 {
        (self.left() - self.pending_capture_amount()).max(0)
    }

    /// Returns whether the authorization no longer exists at the processor.
    pub(crate) fn authorization_is_gone(&self) -> bool {
        self.lapsed_at.is_some() || self.was_found_gone() || self.was_released()
    }

    /// Returns whether the processor refused a capture because the authorization no longer exists.
    pub(crate) fn was_found_gone(&self) -> bool {
        let captures = self.captures.iter().map(|capture| &capture.operation);
        let mut declines = captures.filter_map(|operation| operation.decline.as_ref());
        declines.any(|decline| decline.authorization_gone)
    }

    /// Returns whether the processor released the rest of the authorization with a capture.
    fn was_released(&self) -> bool {
        let mut captures = self.captures.iter().map(|capture| &capture.operation);
        captures.any(|operation| operation.is_done() && operation.leaves_nothing)
    }

    /// Returns the sum of all captures that are done, reversed or not.
    pub(crate) fn taken_by_captures(&self) -> i64 {
        let captures = self.captures.iter().map(|capture| &capture.operation);
        captures.fold(0, |sum, operation| {
            sum.saturating_add(operation.amount_done())
        })
    }

    pub(crate) fn authorized(&self) -> i64 {
        self.authorized_amount.unwrap_or(0)
    }

    /// Returns whether a capture is open or done.
    pub(crate) fn may_be_captured_from(&self) -> bool {
        let mut captures = self.captures.iter().map(|capture| &capture.operation);
        captures.any(|operation| operation.is_open() || operation.is_done())
    }

    /// Returns whether a void is open or done.
    pub(crate) fn is_being_voided(&self) -> bool {
        self.voids
            .iter()
            .any(|operation| operation.is_open() || operation.is_done())
    }

    fn left(&self) -> i64 {
        self.authorized()
            .saturating_sub(self.captured_amount())
            .max(0)
    }

    /// Returns whether an automatic capture was reversed. The newest void proves it, because it was requested after the
    /// approval. An earlier void proves it only when no other is open.
    fn is_reversed(&self) -> bool {
        self.voids.last().is_some_and(Operation::is_done)
            || (self.voids.iter().any(Operation::is_done)
                && !self.voids.iter().any(Operation::is_open))
    }
}
