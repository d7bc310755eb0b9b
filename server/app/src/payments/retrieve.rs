//! Builds the answer of one payment, with its refunds and disputes.

use std::borrow::Cow;

use multirail_domain::customers::saved_method::SavedMethodStatus;
use multirail_domain::payments::dispute::Dispute;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund::Refund;

use super::super::AppError;
use super::{PaymentView, Payments};

/// The number of reads of a payment whose refunds or disputes keep changing or can't be read.
const READS: usize = 4;

impl Payments {
    /// Builds the answer of one payment, with its refunds and disputes.
    ///
    /// # Errors
    /// A store that fails.
    pub(super) async fn whole(&self, payment: Payment) -> Result<PaymentView<'static>, AppError> {
        let (payment, refunds, disputes) = self.with_parts(payment).await?;
        let method_status = self.method_status(&payment).await?;
        Ok(PaymentView {
            method_status,
            refunds,
            disputes,
            ..self.view(Cow::Owned(payment))
        })
    }

    /// Returns the current status of a payment's saved method; a deleted one can't be charged again.
    async fn method_status(
        &self,
        payment: &Payment,
    ) -> Result<Option<SavedMethodStatus>, AppError> {
        let Some(id) = payment.active().saved_method() else {
            return Ok(None);
        };
        let found = self
            .saved_methods
            .saved_method(&payment.merchant_id, id)
            .await?;
        Ok(Some(found.map_or(SavedMethodStatus::Inactive, |method| {
            method.status
        })))
    }

    /// Returns the payment with its refunds and disputes, all of the same moment: reads again where one of them changed
    /// in between.
    async fn with_parts(
        &self,
        mut payment: Payment,
    ) -> Result<(Payment, Vec<Refund>, Vec<Dispute>), AppError> {
        let (mut refunds, mut disputes) = (Vec::new(), Vec::new());
        for left in (0..READS).rev() {
            let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
            if !payment.refunds.is_empty() {
                refunds = self
                    .refunds
                    .store
                    .refunds_of(merchant_id, payment_id)
                    .await?;
            }
            if !payment.disputes.is_empty() {
                disputes = self.disputes.disputes_of(merchant_id, payment_id).await?;
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
