//! Payments that their processor holds for review, and the merchant's decision. (Specification 3)

use multirail_kernel::event::EventType;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use multirail_sdk::connector::{Decline, OperationKind};

use crate::payments::payment::{
    AtHand, AttemptStatus, Context, Effect, Payment, PaymentStatus, ProcessorCall, Step,
};

/// The error code of a payment that the merchant rejected.
pub const REJECTED_CODE: &str = "merchant_rejected";

words! {
    /// The merchant's decision about a payment in review.
    pub enum MerchantDecision {
        Approved = "approved",
        Rejected = "rejected",
    }
}

impl Payment {
    /// Approves a payment in review. With automatic capture it is captured now; otherwise it waits for its capture.
    pub(crate) fn approve(&self, credentials: AtHand, context: &Context) -> Result<Step, Refusal> {
        self.check_held("approved")?;
        self.active().check_credentials(&credentials)?;
        let mut payment = self.decided(MerchantDecision::Approved, context);
        let attempt = payment.active_mut();
        let effect = if self.terms.captures_at_once() {
            let (key, amount) = (context.fresh_key(), attempt.authorized());
            attempt.push_capture(key.clone(), amount, context);
            let call = ProcessorCall {
                kind: OperationKind::Capture,
                attempt: attempt.number,
                key,
            };
            payment.follow(AttemptStatus::CaptureInitiated);
            Effect::Call(call)
        } else {
            let (status, event) = if attempt.authorized() < attempt.amount {
                let status = AttemptStatus::PartiallyAuthorized;
                (status, EventType::PaymentPartiallyAuthorized)
            } else {
                (AttemptStatus::Authorized, EventType::PaymentAuthorized)
            };
            payment.follow(status);
            payment.announce(event, payment.active_id())
        };
        Ok(Step {
            payment,
            effects: vec![effect],
            data: None,
        })
    }

    /// Rejects a payment in review. It fails at once, and a void releases the amount at the processor.
    pub(crate) fn reject(&self, credentials: AtHand, context: &Context) -> Result<Step, Refusal> {
        self.check_held("rejected")?;
        self.active().check_credentials(&credentials)?;
        let mut payment = self.decided(MerchantDecision::Rejected, context);
        let attempt = payment.active_mut();
        let message = "the merchant rejected the payment, which its processor held for a decision";
        attempt.decline = Some(Decline::of_ours(REJECTED_CODE, message));
        let call = attempt.begin_void(context);
        payment.follow(AttemptStatus::RouterDeclined);
        let failed = payment.announce(EventType::PaymentFailed, payment.active_id());
        Ok(Step {
            payment,
            effects: vec![failed, Effect::Call(call)],
            data: None,
        })
    }

    fn decided(&self, decision: MerchantDecision, context: &Context) -> Payment {
        let mut payment = self.clone();
        payment.merchant_decision = Some(decision);
        payment.modified_at = context.now;
        payment.active_mut().modified_at = context.now;
        payment
    }

    fn active_id(&self) -> String {
        self.attempt_id(self.active().number).to_string()
    }

    fn check_held(&self, action: &str) -> Result<(), Refusal> {
        match self.status {
            PaymentStatus::RequiresMerchantAction => Ok(()),
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => Err(Refusal::precondition(format!(
                "a payment whose status is {} can't be {action}: no processor holds it for its merchant's decision",
                self.status
            ))),
        }
    }
}
