//! Payments, as operations and notices see them.

use std::sync::Arc;

use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::notice::of_payment;
use multirail_domain::payments::refund::notice::of_refunds;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::connector::{About, OperationKind, Outcome};

use super::super::AppError;
use super::Payments;
use super::of_others::OfOthers;
use crate::operations::operated::{Operated, OperatedObject};
use crate::operations::ports::open_operations::{OpenObject, UnresolvedOperation};
use crate::operations::told::{Adoption, Told};
use crate::operations::unresolved_operation::{Unresolved, UnresolvedKind};
use crate::payments::ports::PAYMENT;
use crate::payments::refunds::reported_refund;

impl Payments {
    /// Returns payments as a kind of object with operations at processors.
    pub fn operated(self: &Arc<Self>) -> Arc<dyn OperatedObject> {
        Arc::new(Operated::<Payment> {
            services: Arc::clone(self),
            driver: Arc::clone(&self.driver),
        })
    }

    /// Describes an operation of a payment, if it has no final answer.
    pub(super) async fn unresolved(
        &self,
        payment_id: &PaymentId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        let payment = self.store.payment(&found.merchant_id, payment_id).await?;
        let Some(payment) = payment else {
            return Ok(None);
        };
        let mut unresolved = payment.unresolved();
        let of_key = unresolved.find(|(_, _, operation)| operation.key == found.processor_key);
        Ok(of_key.map(|(attempt, kind, operation)| {
            let connector = attempt.connector.clone().unwrap_or_default();
            Unresolved {
                merchant_id: payment.merchant_id.clone(),
                payment_id: payment.payment_id.clone(),
                attempt_id: payment.attempt_id(attempt.number),
                refund_id: None,
                dispute_id: None,
                waits_for: self.processors.waits_for(&connector, kind, operation),
                connector,
                kind: UnresolvedKind::Operation(kind),
                currency: payment.terms.currency,
                operation: operation.clone(),
                next_question_at: found.next_question_at,
            }
        }))
    }

    /// Reads a notice about this payment or about one of its refunds.
    pub(super) async fn read_notice(
        self: &Arc<Self>,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        let this = OpenObject::new(PAYMENT, payment_id.as_str());
        let payment = self.store.payment(merchant_id, payment_id).await?;
        let (object, told) = match about.kind {
            OperationKind::Authorize
            | OperationKind::Increment
            | OperationKind::Capture
            | OperationKind::Void => {
                let told = payment.as_ref().map_or(ToldOf::AnotherAccount, |payment| {
                    of_payment(payment, sender, about, outcome)
                });
                (this, told)
            }
            // The notice names a refund by the authorization whose money it returns.
            OperationKind::Refund => {
                let refunds = self
                    .refunds
                    .store
                    .refunds_of(merchant_id, payment_id)
                    .await?;
                let told = of_refunds(&refunds, sender, about, outcome);
                (reported_refund(&refunds, &told).unwrap_or(this), told)
            }
        };
        let by_others = match (&told, payment, outcome) {
            // Where no refund went through the account, the payment's own attempts name the account's operation.
            (
                ToldOf::NotAskedFor | ToldOf::AnotherAccount,
                Some(payment),
                Some(Outcome::Done(approval)),
            ) => payment.done_by_others(sender, about, approval),
            (
                ToldOf::NotAskedFor
                | ToldOf::AnotherAccount
                | ToldOf::Fact(_)
                | ToldOf::Hint(_)
                | ToldOf::HintOfBrought { .. },
                ..,
            ) => None,
        };
        let by_others = by_others.map(|done| -> Box<dyn Adoption> {
            Box::new(OfOthers {
                payments: Arc::clone(self),
                merchant_id: merchant_id.clone(),
                payment_id: payment_id.clone(),
                done,
            })
        });
        Ok(Told {
            object,
            told,
            by_others,
        })
    }
}
