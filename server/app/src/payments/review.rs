//! Approves or rejects a payment that its processor holds for review. (Specification 3)

use multirail_domain::payments::payment::{AtHand, Command, Input, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{PaymentView, Payments};

impl Payments {
    /// Approves the payment, and captures it where the capture is automatic.
    ///
    /// # Errors
    /// An unknown payment, one that isn't held.
    pub async fn approve(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<PaymentView<'static>, AppError> {
        let approve = |credentials| Command::Approve { credentials };
        self.decide_review(origin, merchant_id, payment_id, approve)
            .await
    }

    /// Rejects the payment, and voids its authorization at the processor.
    ///
    /// # Errors
    /// An unknown payment, one that isn't held.
    pub async fn reject(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<PaymentView<'static>, AppError> {
        let reject = |credentials| Command::Reject { credentials };
        self.decide_review(origin, merchant_id, payment_id, reject)
            .await
    }

    async fn decide_review(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        decision: fn(AtHand) -> Command,
    ) -> Result<PaymentView<'static>, AppError> {
        let inputs = CallInputs::default();
        self.carry_out_command(
            origin,
            merchant_id,
            payment_id,
            inputs,
            |payment, context, credentials| {
                let command = Input::Command(decision(credentials));
                transition(payment, command, context)
            },
        )
        .await
    }
}
