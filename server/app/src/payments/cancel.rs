//! Cancels a payment. (Specification 4.10)

use multirail_domain::payments::payment::{Command, Input, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{CallCredentials, PaymentView, Payments};

impl Payments {
    /// Cancels a payment, and voids its authorization at the processor.
    ///
    /// # Errors
    /// An unknown payment, a state that can't be cancelled. A subscription is informed when its payment is cancelled.
    pub async fn cancel(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: Option<String>,
        credentials: CallCredentials,
    ) -> Result<PaymentView<'static>, AppError> {
        let mut inputs = CallInputs {
            credentials,
            ..CallInputs::default()
        };
        let stored = self
            .command(
                origin,
                merchant_id,
                payment_id,
                &mut inputs,
                |payment, context, credentials| {
                    let command = Command::Cancel {
                        reason: reason.clone(),
                        credentials,
                    };
                    transition(payment, Input::Command(command), context)
                },
            )
            .await?;
        self.codes.take(merchant_id, payment_id);
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }
}
