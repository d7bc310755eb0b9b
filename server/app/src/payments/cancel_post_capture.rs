//! Voids captured money. (`POST /payments/{payment_id}/cancel_post_capture`)

use multirail_domain::payments::payment::{Command, Input, Payment, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::Refusal;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{CallCredentials, PaymentView, Payments};

impl Payments {
    /// Asks the processor to void all captures. Where the outcome is unknown, returns the payment as it is; a worker
    /// then syncs with the processor.
    ///
    /// # Errors
    /// An unknown payment, a state in which nothing can be voided, a connector without this operation.
    pub async fn cancel_post_capture(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: Option<String>,
        credentials: CallCredentials,
    ) -> Result<PaymentView<'static>, AppError> {
        let inputs = CallInputs {
            credentials,
            ..CallInputs::default()
        };
        self.carry_out_command(
            origin,
            merchant_id,
            payment_id,
            inputs,
            |payment, context, credentials| {
                let command = Command::CancelPostCapture {
                    reason: reason.clone(),
                    credentials,
                };
                let step = transition(payment, Input::Command(command), context)?;
                self.check_voids_captured(payment)?;
                Ok(step)
            },
        )
        .await
    }

    /// Refuses the operation where the payment's connector doesn't support it.
    fn check_voids_captured(&self, payment: &Payment) -> Result<(), Refusal> {
        let name = payment.active().connector.as_deref().unwrap_or_default();
        let connector = self.processors.connectors.find(name);
        if connector.is_some_and(|one| one.description().capabilities.voids_captured.is_some()) {
            return Ok(());
        }
        Err(Refusal::FlowNotSupported {
            flow: format!("voiding after capture through {name}"),
        })
    }
}
