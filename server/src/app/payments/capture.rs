//! Capture what was authorized. (Specification 4.11)

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::{Command, Input, transition};

use super::super::{App, AppError, Origin};
use super::carry_out::CallInputs;
use super::{CallCredentials, PaymentView};

impl App {
    /// Captures `amount_to_capture` minor units, or all that is capturable.
    ///
    /// # Errors
    /// Unknown payment, a state that can't be captured, an amount that is not above zero or too large.
    pub async fn capture_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        amount_to_capture: Option<i64>,
        credentials: CallCredentials,
    ) -> Result<PaymentView, AppError> {
        let stored = self
            .command(
                origin,
                merchant_id,
                payment_id,
                &credentials,
                |payment, context, credentials| {
                    let command = Command::Capture {
                        amount_to_capture,
                        credentials,
                    };
                    transition(payment, Input::Command(command), context)
                },
            )
            .await?;
        let inputs = CallInputs {
            card: None,
            credentials,
        };
        let payment = self.carry_out(origin, stored, inputs).await?;
        Ok(self.view(payment))
    }
}
