//! Builds the answer of one payment, with its refunds and disputes.

use std::borrow::Cow;

use multirail_domain::customers::saved_method::SavedMethodStatus;
use multirail_domain::payments::dispute::Dispute;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund::Refund;

use super::super::AppError;
use super::{PaymentView, Payments};

/// The number of reads of an unchanged payment whose refunds or disputes don't agree with it, because they can't be
/// read.
const READS: usize = 4;

/// Decides whether a payment is read again whose parts don't agree with it.
#[derive(Default)]
struct Rereads {
    of_the_same: usize,
}

impl Rereads {
    /// Returns whether the parts are read again, for a payment that had one version before they were read and has
    /// another afterwards. Every new version means that someone committed, so the reads come to an end.
    fn go_on(&mut self, before: i64, after: i64) -> bool {
        self.of_the_same = if before == after {
            self.of_the_same + 1
        } else {
            0
        };
        self.of_the_same < READS
    }
}

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
        let mut rereads = Rereads::default();
        loop {
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
            if agrees {
                return Ok((payment, refunds, disputes));
            }
            let now = self.load(merchant_id, payment_id).await?;
            if !rereads.go_on(payment.version, now.version) {
                return Ok((payment, refunds, disputes));
            }
            payment = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payment_that_keeps_changing_is_read_until_its_parts_agree() {
        let mut rereads = Rereads::default();
        assert!((1..100).all(|version| rereads.go_on(version, version + 1)));
    }

    #[test]
    fn parts_that_cant_be_read_are_given_up() {
        let mut rereads = Rereads::default();
        let reads = [(7, 7), (7, 8), (8, 8), (8, 8), (8, 8), (8, 8)];
        let goes_on = reads.map(|(before, after)| rereads.go_on(before, after));
        assert_eq!(goes_on, [true, true, true, true, true, false]);
    }
}
