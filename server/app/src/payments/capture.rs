//! Captures an authorized payment. (Specification 4.11)

use multirail_domain::payments::payment::{Command, Input, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::connector::CaptureDescriptor;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::counted::check_counted;
use super::{CallCredentials, PaymentView, Payments};

/// The request, translated.
#[derive(Debug)]
pub struct CapturePayment {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    /// In minor units; absent for the whole capturable amount.
    pub amount_to_capture: Option<i64>,
    pub descriptor: CaptureDescriptor,
    pub credentials: CallCredentials,
}

impl Payments {
    /// Captures.
    ///
    /// # Errors
    /// An unknown payment, a state that can't be captured, an amount that is zero, negative, too large or not
    /// representable at the processor.
    pub async fn capture(
        &self,
        origin: &Origin,
        request: CapturePayment,
    ) -> Result<PaymentView<'static>, AppError> {
        let CapturePayment {
            merchant_id,
            payment_id,
            amount_to_capture,
            descriptor,
            credentials,
        } = request;
        let inputs = CallInputs {
            capture_descriptor: descriptor,
            credentials,
            ..CallInputs::default()
        };
        self.carry_out_command(
            origin,
            &merchant_id,
            &payment_id,
            inputs,
            |payment, context, credentials| {
                let command = Command::Capture {
                    amount_to_capture,
                    credentials,
                };
                let step = transition(payment, Input::Command(command), context)?;
                if let Some(amount) = amount_to_capture {
                    check_counted(&self.processors, payment, "amount_to_capture", amount)?;
                }
                Ok(step)
            },
        )
        .await
    }
}
