//! Continues an authorization after the payer's device data was collected. (Specification 3)

use multirail_domain::payments::payment::complete::CompleteAuthorization;
use multirail_domain::payments::payment::{Command, Input, transition};
use multirail_kernel::address::Address;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::charge::DeviceDataCollected;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::customer::check_not_redacted;
use super::{PaymentView, Payments};

/// The request, translated.
#[derive(Debug)]
pub struct CompletePayment {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub device_data_collected: Option<DeviceDataCollected>,
    pub shipping: Option<Address>,
}

impl Payments {
    /// Informs the processor, which continues the authorization.
    ///
    /// # Errors
    /// An unknown payment, one whose processor waits for no device data, an address for a redacted customer.
    pub async fn complete_authorization(
        &self,
        origin: &Origin,
        request: CompletePayment,
    ) -> Result<PaymentView<'static>, AppError> {
        let CompletePayment {
            merchant_id,
            payment_id,
            device_data_collected,
            shipping,
        } = request;
        if shipping.is_some() {
            let payment = self.load(&merchant_id, &payment_id).await?;
            let customer_id = payment.terms.customer_id.as_ref();
            check_not_redacted(&*self.customers, &merchant_id, customer_id).await?;
        }
        let inputs = CallInputs::default();
        self.carry_out_command(
            origin,
            &merchant_id,
            &payment_id,
            inputs,
            |payment, context, credentials| {
                let given = CompleteAuthorization {
                    device_data_collected,
                    shipping: shipping.clone(),
                    credentials,
                };
                let command = Command::CompleteAuthorization(Box::new(given));
                transition(payment, Input::Command(command), context)
            },
        )
        .await
    }
}
