//! Releases a payment's reservation, also for a deleted merchant account.

use multirail_domain::payments::payment::{Command, Input, Payment, ReleaseAction, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{CallCredentials, Payments};
use crate::payments::refunds::RefundOfPayment;

/// The number of rounds of syncs and voids. Only a sync after the void shows that the payer can't approve any more.
const ROUNDS: usize = 3;

impl Payments {
    /// Syncs open operations, including refunds, and voids the reservation. The payment may stay unfinished where the
    /// processor gave no answer or refused.
    ///
    /// # Errors
    /// An unknown payment, another change at the same time, a store that fails.
    pub(super) async fn release(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: &str,
    ) -> Result<Payment, AppError> {
        let mut payment = self.load(merchant_id, payment_id).await?;
        for _ in 0..ROUNDS {
            if payment.is_open_at_processor() {
                payment = self
                    .driver
                    .sync(self, origin, merchant_id, payment_id)
                    .await?;
            }
            if payment.has_open_refund() {
                payment = self.sync_refunds(origin, payment).await?;
            }
            if !payment.is_unfinished() {
                break;
            }
            payment = match payment.release_action() {
                None => break,
                Some(ReleaseAction::Cancel) => {
                    let reason = Some(reason.to_owned());
                    let own = CallCredentials::default();
                    let view = self.cancel(origin, merchant_id, payment_id, reason, own);
                    view.await?.payment.into_owned()
                }
                Some(ReleaseAction::Reject) => {
                    let rejected = self.reject(origin, merchant_id, payment_id);
                    rejected.await?.payment.into_owned()
                }
                Some(ReleaseAction::VoidTheRest) => {
                    self.void_the_rest(origin, merchant_id, payment_id, reason)
                        .await?
                }
            };
            // The processor gets one request.
            if payment.is_void_refused() {
                break;
            }
        }
        Ok(payment)
    }

    /// Syncs the open refunds; returns the payment afterwards.
    async fn sync_refunds(&self, origin: &Origin, payment: Payment) -> Result<Payment, AppError> {
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        for share in payment.refunds.iter().filter(|share| share.is_open) {
            let refund_id = &share.refund_id;
            let _: RefundOfPayment = self
                .driver
                .sync(&*self.refunds, origin, merchant_id, refund_id)
                .await?;
        }
        self.load(merchant_id, payment_id).await
    }

    async fn void_the_rest(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: &str,
    ) -> Result<Payment, AppError> {
        let mut inputs = CallInputs::default();
        let stored = self
            .command(
                origin,
                merchant_id,
                payment_id,
                &mut inputs,
                |payment, context, _| {
                    let reason = reason.to_owned();
                    let command = Command::VoidTheRest { reason };
                    transition(payment, Input::Command(command), context)
                },
            )
            .await?;
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(carried_out.object)
    }
}
