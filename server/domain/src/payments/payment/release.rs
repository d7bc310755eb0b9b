//! Releasing the reserved amounts of a merchant's payments before the merchant's account is deleted. Afterwards nobody could
//! capture or void them.

use multirail_kernel::refusal::Refusal;

use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    Attempt, AttemptStatus, Context, Effect, Operation, Payment, PaymentStatus, Progress, Step,
};

/// The way in which a payment's reserved amount is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseAction {
    /// A cancel, as by the merchant.
    Cancel,
    /// A rejection, as by the merchant.
    Reject,
    /// [`Command::VoidTheRest`](super::Command::VoidTheRest), for a payment that merchants can't cancel.
    VoidTheRest,
}

impl Payment {
    /// Returns whether somebody still has to finish the payment. It holds a reserved amount, has an operation without a final
    /// answer, or its payer may still approve.
    pub fn is_unfinished(&self) -> bool {
        self.is_open_at_processor() || self.is_held() || self.has_open_refund()
    }

    /// Returns how the reserved amount can be released now, if at all. Open operations have to end first, except that a payer's
    /// approval isn't awaited.
    pub fn release_action(&self) -> Option<ReleaseAction> {
        let awaits_word = || {
            let mut operations = self.active().operations();
            operations.any(|(_, operation)| operation.is_open())
        };
        match self.status {
            PaymentStatus::RequiresCustomerAction | PaymentStatus::RequiresCapture => {
                Some(ReleaseAction::Cancel)
            }
            PaymentStatus::Processing if self.awaits_payer() => Some(ReleaseAction::Cancel),
            PaymentStatus::RequiresMerchantAction => Some(ReleaseAction::Reject),
            PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::Conflicted => {
                Some(ReleaseAction::VoidTheRest).filter(|_| self.is_held() && !awaits_word())
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

    /// Returns whether the processor refused the last void.
    pub fn is_void_refused(&self) -> bool {
        let last = self.active().voids.last();
        last.is_some_and(|void| void.progress == Progress::Declined)
    }

    /// Voids the uncaptured rest where merchants can't. Captured amounts stay.
    pub(crate) fn void_the_rest(&self, reason: String, context: &Context) -> Result<Step, Refusal> {
        if self.release_action() != Some(ReleaseAction::VoidTheRest) {
            return Err(Refusal::precondition(format!(
                "the rest of a payment whose status is {} can't be voided in this way",
                self.status
            )));
        }
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        let call = attempt.begin_void(context);
        // A conflict keeps its status and its texts.
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
    /// Returns whether an attempt in conflict holds an approved amount that is neither captured nor voided, without a refused
    /// void.
    fn holds_in_conflict(&self) -> bool {
        let is_approved = self.authorization.as_ref().is_some_and(Operation::is_done);
        let mut voids = self.voids.iter().map(|void| void.progress);
        let is_void_decided =
            voids.any(|progress| progress == Progress::Done || progress == Progress::Declined);
        // A void needs credentials.
        let has_credentials = self.brought.is_none() || self.holds_credentials();
        is_approved
            && has_credentials
            && !self.captures_at_once
            && !is_void_decided
            && self.uncaptured_amount() > 0
    }
}
