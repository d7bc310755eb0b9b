//! Changing a payment before it is confirmed.

use multirail_kernel::refusal::Refusal;

use crate::payments::payment::{AttemptStatus, Changes, Context, Payment, PaymentStatus, Step};

impl Payment {
    /// Refuses the change if the payment has an owner, which wouldn't learn of it.
    pub(crate) fn check_is_free(&self) -> Result<(), Refusal> {
        match &self.owner {
            None => Ok(()),
            Some(owner) => Err(Refusal::OfOwner {
                kind: owner.kind.as_str(),
                id: owner.id.to_string(),
            }),
        }
    }

    pub(crate) fn update(&self, changes: Changes, context: &Context) -> Result<Step, Refusal> {
        self.check_is_free()?;
        match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {}
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
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
            | PaymentStatus::Expired => {
                return Err(Refusal::precondition(format!(
                    "a payment whose status is {} can't be updated any more",
                    self.status
                )));
            }
        }
        let mut payment = self.clone();
        let merged = payment.merge(changes, context.now)?;
        let mut effects = Vec::new();
        match &merged {
            Some(merged) if merged.is_saved => effects.extend(payment.delete_card()),
            // The caller refuses data that may not be stored, unless the same call confirms the payment.
            Some(merged) if merged.data.is_held() => payment.holds_card = true,
            Some(_) => effects.extend(payment.delete_card()),
            // The card belonged to a former customer.
            None if payment.instrument().is_none() => effects.extend(payment.delete_card()),
            None => {}
        }
        payment.follow(match payment.instrument() {
            Some(_) => AttemptStatus::ConfirmationAwaited,
            None => AttemptStatus::PaymentMethodAwaited,
        });
        Ok(Step {
            payment,
            effects,
            data: merged.map(|merged| merged.data),
        })
    }
}
