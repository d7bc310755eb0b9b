//! Read one payment. (`GET /payments/{payment_id}`)

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::{Payment, PaymentStatus};

use super::super::{App, AppError, Origin};
use super::PaymentView;

impl App {
    /// Reads a payment; with `force_sync` asks the processor first where something is open.
    ///
    /// # Errors
    /// Unknown payment.
    pub async fn retrieve_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        force_sync: bool,
    ) -> Result<PaymentView, AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        // What is open is not always to be seen in the status: a cancelled payment's void, say.
        let asks = is_asked_about(payment.status) || payment.is_open_at_processor();
        let payment = if force_sync && asks {
            self.sync::<Payment>(origin, merchant_id, payment_id)
                .await?
        } else {
            payment
        };
        let refunds = if payment.refunds.is_empty() {
            Vec::new()
        } else {
            self.store.refunds_of(merchant_id, payment_id).await?
        };
        Ok(PaymentView {
            refunds,
            ..self.view(payment)
        })
    }
}

/// The statuses in which a forced sync calls the processor.
fn is_asked_about(status: PaymentStatus) -> bool {
    match status {
        PaymentStatus::Processing
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => true,
        PaymentStatus::RequiresPaymentMethod
        | PaymentStatus::RequiresConfirmation
        | PaymentStatus::RequiresCapture
        | PaymentStatus::Succeeded
        | PaymentStatus::PartiallyCaptured
        | PaymentStatus::Failed
        | PaymentStatus::Cancelled
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Conflicted
        | PaymentStatus::Expired => false,
    }
}
