//! Setting free what is reserved for a payment whose merchant goes: afterwards nobody could capture or void it.

use multirail_kernel::refusal::Refusal;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    Attempt, AttemptStatus, Context, Effect, Operation, Payment, PaymentStatus, Progress, Step,
};

/// What sets free what is reserved for a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// A cancel, as a merchant would ask for it.
    Cancel,
    /// A rejection, as a merchant would decide it.
    Reject,
    /// [`Command::VoidTheRest`](super::Command::VoidTheRest): merchants can't cancel this payment.
    VoidTheRest,
}

impl Payment {
    /// Money is reserved for it, or taken, set free or given back by an operation without a final answer, or its payer may
    /// still approve: somebody has to be there who can finish it.
    pub fn is_unfinished(&self) -> bool {
        self.is_open_at_processor() || self.is_held() || self.has_open_refund()
    }

    /// How to set free what is reserved, if that can be done now: while the processor's word on something is awaited, it
    /// has to come first. Only a payer who may still approve is not waited for.
    pub fn way_out(&self) -> Option<WayOut> {
        let awaits_word = || {
            let mut operations = self.active().operations();
            operations.any(|(_, operation)| operation.is_open())
        };
        match self.status {
            PaymentStatus::RequiresCustomerAction | PaymentStatus::RequiresCapture => {
                Some(WayOut::Cancel)
            }
            PaymentStatus::RequiresMerchantAction => Some(WayOut::Reject),
            PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::Conflicted => {
                Some(WayOut::VoidTheRest).filter(|_| self.is_held() && !awaits_word())
            }
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Processing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Expired => None,
        }
    }

    fn is_held(&self) -> bool {
        match self.status {
            PaymentStatus::RequiresMerchantAction
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => true,
            PaymentStatus::Conflicted => self.active().holds_in_conflict(),
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::Processing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Expired => false,
        }
    }

    /// Returns whether the processor has refused the last void of what is reserved.
    pub fn is_void_refused(&self) -> bool {
        let last = self.active().voids.last();
        last.is_some_and(|void| void.progress == Progress::Declined)
    }

    /// Voids what captures have left, where merchants can't: what was taken stays taken.
    pub(crate) fn void_the_rest(&self, reason: String, context: &Context) -> Result<Step, Refusal> {
        if self.way_out() != Some(WayOut::VoidTheRest) {
            return Err(Refusal::precondition(format!(
                "of a payment whose status is {} nothing can be voided in this way",
                self.status
            )));
        }
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        let call = attempt.begin_void(context);
        // A conflict stays one, and its words stay.
        if attempt.status.phase() != Phase::Conflicted {
            attempt.decline = None;
            payment.cancellation_reason = Some(reason);
            payment.follow(AttemptStatus::VoidInitiated);
        }
        Ok(Step {
            payment,
            effects: vec![Effect::Call(call)],
            data: None,
        })
    }
}

impl Attempt {
    /// Of an attempt in conflict: something approved is neither captured nor voided, and no void of it was refused.
    fn holds_in_conflict(&self) -> bool {
        let is_approved = self.authorization.as_ref().is_some_and(Operation::is_done);
        let mut voids = self.voids.iter().map(|void| void.progress);
        let is_void_decided =
            voids.any(|progress| progress == Progress::Done || progress == Progress::Declined);
        // Nobody voids with credentials that are gone.
        let has_credentials = self.brought.is_none() || self.holds_credentials();
        is_approved
            && has_credentials
            && !self.captures_at_once
            && !is_void_decided
            && self.uncaptured_amount() > 0
    }
}
