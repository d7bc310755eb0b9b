//! Cancelling a payment, and voiding its authorization at the processor. (Specification 3, 4.10)

use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::credentials::check_unused;
use crate::payments::payment::{
    AnnouncedStatus, Announcement, AtHand, Attempt, AttemptStatus, Context, Effect, Operation,
    Payment, PaymentStatus, ProcessorCall, Step,
};

impl Payment {
    pub(crate) fn cancel(
        &self,
        reason: Option<String>,
        credentials: AtHand,
        context: &Context,
    ) -> Result<Step, Refusal> {
        let mut payment = self.clone();
        payment.modified_at = context.now;
        payment.active_mut().modified_at = context.now;
        payment.active_mut().decline = None;
        payment.cancellation_reason = reason;
        let mut effects = match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
                check_unused(&credentials)?;
                payment.follow(AttemptStatus::Voided);
                let mut effects = vec![payment.cancelled()];
                effects.extend(payment.delete_card());
                effects
            }
            PaymentStatus::RequiresCustomerAction => {
                payment.cancel_while_payer_acts(credentials, context)?
            }
            // The processor returns the part of the transfer that has arrived.
            PaymentStatus::Processing if self.awaits_payer() => {
                payment.cancel_while_payer_acts(credentials, context)?
            }
            PaymentStatus::RequiresCapture => {
                self.active().check_credentials(&credentials)?;
                payment.active_mut().bring(credentials.given);
                let call = payment.active_mut().begin_void(context);
                payment.follow(AttemptStatus::VoidInitiated);
                vec![Effect::Call(call)]
            }
            PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => {
                return Err(Refusal::precondition(format!(
                    "a payment whose status is {} can't be cancelled",
                    self.status
                )));
            }
        };
        effects.extend(payment.delete_credentials(context.now));
        Ok(Step {
            payment,
            effects,
            data: None,
        })
    }

    /// Cancels a payment whose payer may be approving at this moment. The payment is cancelled at once and a void is sent. A
    /// later approval triggers another void.
    fn cancel_while_payer_acts(
        &mut self,
        credentials: AtHand,
        context: &Context,
    ) -> Result<Vec<Effect>, Refusal> {
        let attempt = self.active_mut();
        attempt.check_credentials(&credentials)?;
        attempt.bring(credentials.given);
        let call = attempt.begin_void(context);
        attempt.end_step();
        attempt.returned_with = None;
        self.follow(AttemptStatus::Voided);
        let mut effects = vec![self.cancelled(), Effect::Call(call)];
        effects.extend(self.delete_card());
        Ok(effects)
    }

    /// Deletes the card that waited for a confirm.
    pub(crate) fn delete_card(&mut self) -> Option<Effect> {
        std::mem::take(&mut self.holds_card).then_some(Effect::DeleteCard)
    }

    fn cancelled(&self) -> Effect {
        Effect::Announce(Announcement {
            event_type: multirail_kernel::event::EventType::PaymentCancelled,
            status: AnnouncedStatus::Payment(self.status),
            about: self.payment_id.to_string(),
        })
    }
}

impl Attempt {
    /// Records the intention to void this attempt's authorization.
    pub(crate) fn begin_void(&mut self, context: &Context) -> ProcessorCall {
        let amount = self.authorized_amount.unwrap_or(self.amount);
        let key = context.fresh_key();
        self.voids
            .push(Operation::start(key.clone(), amount, context.now));
        ProcessorCall {
            kind: OperationKind::Void,
            attempt: self.number,
            key,
        }
    }
}
