//! Amounts, derived from what the processor confirmed: those of one attempt, and the ones that merchants read.
//! (Specification 2.10)

use crate::payments::payment::status::Phase;
use crate::payments::payment::{Attempt, CaptureMethod, Operation, Payment, PaymentStatus};

/// Amounts in minor units of the payment's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// `net_amount`: what the payer pays in all.
    pub net: i64,
    /// `amount_capturable`: what a capture may still take.
    pub capturable: i64,
    /// `amount_received`: what was captured for certain; unset until the payment was confirmed.
    pub received: Option<i64>,
}

impl Payment {
    /// The amounts as they stand now.
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

/// All in minor units of the payment's currency, none negative. Captured, pending and voided together are never above
/// the capturable limit, whatever the processor says and in whatever order.
impl Attempt {
    /// What captures may take in all: what was authorized, or more where that was granted. Where the processor took more than
    /// that the attempt is in conflict, and the limit is what it took.
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

    /// What was taken for certain and not given back.
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

    /// What captures under way may still take: never more than is left.
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

    /// What a void has set free or given back: what captures had left, or all of what was taken with the authorization or
    /// by captures.
    pub fn voided_amount(&self) -> i64 {
        let voided = if self.is_voided_after_capture() {
            true
        } else if self.captures_at_once {
            self.is_reversed()
        } else {
            self.voids.iter().any(Operation::is_done)
        };
        if voided {
            self.left_beside_pending()
        } else {
            0
        }
    }

    /// What a further capture may take at most, whatever the status: what was authorized less what is charged and less
    /// what captures under way may take. Nothing of an authorization that is gone.
    pub fn uncaptured_amount(&self) -> i64 {
        if self.authorization_is_gone() || self.is_voided_after_capture() {
            0
        } else {
            self.left_beside_pending()
        }
    }

    /// What is neither captured nor may be taken by captures under way, of what was authorized.
    fn left_beside_pending(&self) -> i64 {
        (self.left() - self.pending_capture_amount()).max(0)
    }

    /// There is no authorization any more at the processor.
    pub(crate) fn authorization_is_gone(&self) -> bool {
        self.lapsed_at.is_some() || self.was_found_gone() || self.was_released()
    }

    /// The processor has refused a capture because there is no authorization any more.
    pub(crate) fn was_found_gone(&self) -> bool {
        let captures = self.captures.iter().map(|capture| &capture.operation);
        let mut declines = captures.filter_map(|operation| operation.decline.as_ref());
        declines.any(|decline| decline.authorization_gone)
    }

    /// The processor has let go with a capture what that left.
    fn was_released(&self) -> bool {
        let mut captures = self.captures.iter().map(|capture| &capture.operation);
        captures.any(|operation| operation.is_done() && operation.leaves_nothing)
    }

    /// The sum of the captures that are done, given back or not.
    pub(crate) fn taken_by_captures(&self) -> i64 {
        let captures = self.captures.iter().map(|capture| &capture.operation);
        captures.fold(0, |sum, operation| {
            sum.saturating_add(operation.amount_done())
        })
    }

    pub(crate) fn authorized(&self) -> i64 {
        self.authorized_amount.unwrap_or(0)
    }

    /// A capture is under way or done.
    pub(crate) fn may_be_captured_from(&self) -> bool {
        let mut captures = self.captures.iter().map(|capture| &capture.operation);
        captures.any(|operation| operation.is_open() || operation.is_done())
    }

    /// A void is under way or done.
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

    /// What was taken together with the authorization was given back: by the void that was asked for last, which knew
    /// of the approval; or by an earlier one, once no other is under way.
    fn is_reversed(&self) -> bool {
        self.voids.last().is_some_and(Operation::is_done)
            || (self.voids.iter().any(Operation::is_done)
                && !self.voids.iter().any(Operation::is_open))
    }
}
