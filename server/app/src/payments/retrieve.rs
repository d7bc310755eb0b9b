//! Read one payment. (`GET /payments/{payment_id}`)

use std::borrow::Cow;

use multirail_domain::dispute::Dispute;
use multirail_domain::payment::{Payment, PaymentStatus};
use multirail_domain::refund::Refund;
use multirail_domain::saved_method::SavedMethodStatus;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::Object;

use super::super::{App, AppError, Origin};
use super::PaymentView;
use crate::questions::{About, Asker};

/// How often a payment is read where its refunds or disputes keep changing, or one of them can't be read.
const READS: usize = 4;

impl App {
    /// Reads a payment; with `force_sync` asks the processor first where something is open and nobody has just asked.
    ///
    /// # Errors
    /// Unknown payment.
    pub async fn retrieve_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        force_sync: bool,
    ) -> Result<PaymentView<'static>, AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        // What is open is not always to be seen in the status: a cancelled payment's void, say.
        let asks = is_asked_about(payment.status) || payment.is_open_at_processor();
        let asker = Asker::of(&origin.actor);
        // A payer has no need to know what others did in the processor's back office.
        let looks_over = asker == Asker::Merchant;
        let payment = if force_sync && (asks || looks_over) {
            let about = About::new(Object::Payment, merchant_id, payment_id.as_str());
            match self.questions.turn(about, asker).await {
                Some(_question) => {
                    let payment = if asks {
                        self.driver
                            .sync::<Payment>(self, origin, merchant_id, payment_id)
                            .await?
                    } else {
                        payment
                    };
                    if looks_over {
                        self.look_over(origin, payment).await?
                    } else {
                        payment
                    }
                }
                None => self.load(merchant_id, payment_id).await?,
            }
        } else {
            payment
        };
        let (payment, refunds, disputes) = self.with_parts(payment).await?;
        let method_status = self.method_status(&payment).await?;
        Ok(PaymentView {
            method_status,
            refunds,
            disputes,
            ..self.view(Cow::Owned(payment))
        })
    }

    /// How the saved method of a payment stands now; one that was deleted can't be charged again.
    async fn method_status(
        &self,
        payment: &Payment,
    ) -> Result<Option<SavedMethodStatus>, AppError> {
        let Some(id) = payment.active().saved_method() else {
            return Ok(None);
        };
        let found = self.store.saved_method(&payment.merchant_id, id).await?;
        Ok(Some(found.map_or(SavedMethodStatus::Inactive, |method| {
            method.status
        })))
    }

    /// The refunds and disputes of a payment, which rest in rows of their own, and the payment of the same moment: it is read
    /// again where one of them changed in between.
    async fn with_parts(
        &self,
        mut payment: Payment,
    ) -> Result<(Payment, Vec<Refund>, Vec<Dispute>), AppError> {
        let (mut refunds, mut disputes) = (Vec::new(), Vec::new());
        for left in (0..READS).rev() {
            let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
            if !payment.refunds.is_empty() {
                refunds = self.store.refunds_of(merchant_id, payment_id).await?;
            }
            if !payment.disputes.is_empty() {
                disputes = self.store.disputes_of(merchant_id, payment_id).await?;
            }
            let agrees = payment.agrees_with(&refunds) && payment.agrees_with_disputes(&disputes);
            if left == 0 || agrees {
                break;
            }
            payment = self.load(merchant_id, payment_id).await?;
        }
        Ok((payment, refunds, disputes))
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
