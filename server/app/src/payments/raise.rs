//! Raise what was authorized. (Specification 2.10)

use multirail_domain::ids::{IncrementId, MerchantId, PaymentId};
use multirail_domain::payment::{Command, Input, RaiseAuthorization, transition};
use multirail_domain::refusal::Refusal;

use super::super::{App, AppError, Origin};
use super::PaymentView;
use super::calls::CallInputs;

impl App {
    /// Asks the processor to raise what was authorized to a new total.
    ///
    /// # Errors
    /// Unknown payment, a state or an amount that doesn't allow it, a connector that can't.
    pub async fn raise_authorization(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        amount: i64,
        reason: Option<String>,
    ) -> Result<PaymentView<'static>, AppError> {
        let increment_id = IncrementId::generate(self.random.as_ref());
        let inputs = CallInputs::default();
        let before = self.load(merchant_id, payment_id).await?;
        let mandate = self.charged_mandate(&before).await?;
        let raised = self.carry_out_command(
            origin,
            merchant_id,
            payment_id,
            inputs,
            |payment, context, credentials| {
                let raise = RaiseAuthorization {
                    amount,
                    reason: reason.clone(),
                    increment_id: increment_id.clone(),
                    mandate: mandate.clone(),
                    credentials,
                };
                let command = Command::RaiseAuthorization(Box::new(raise));
                let step = transition(payment, Input::Command(command), context)?;
                self.check_counted(payment, "amount", amount)?;
                Ok(step)
            },
        );
        match raised.await {
            // Where the mandate can't be charged any more since it was read, that is why.
            Err(AppError::Refused(busy @ Refusal::Busy { .. })) => {
                self.check_charged_mandate(&before).await?;
                Err(busy.into())
            }
            answered => answered,
        }
    }
}
