//! Changes that others made at the processor and that a notice reports.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::payment::{DoneByOthers, Input, Payment, What, transition};
use multirail_domain::payments::refund::Refund;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::{Fact, Outcome};

use super::super::{AppError, Origin};
use super::{CallCredentials, Payments};
use crate::operations::driver::{Aggregate, Stage};
use crate::operations::told::Adoption;
use crate::payments::refunds::{RefundOfPayment, Step};
use crate::platform::decisions::Decisions;

/// A change that others made to a payment.
pub(super) struct OfOthers {
    pub payments: Arc<Payments>,
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub done: DoneByOthers,
}

#[async_trait]
impl Adoption for OfOthers {
    async fn adopt(&self, origin: &Origin) -> Result<String, AppError> {
        let done = self.done.clone();
        let (merchant_id, payment_id) = (&self.merchant_id, &self.payment_id);
        self.payments
            .adopt(origin, merchant_id, payment_id, done)
            .await
    }
}

impl Payments {
    /// Records a change that others made to a payment; returns the id of the changed object.
    async fn adopt(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        done: DoneByOthers,
    ) -> Result<String, AppError> {
        match done.what {
            What::Refund => {
                let refund_id = self.adopt_refund(origin, merchant_id, payment_id, done);
                Ok(refund_id.await?.to_string())
            }
            What::Increment | What::Capture | What::Void => {
                let decide = |payment: &Payment, context: &Context| {
                    let done = Input::DoneByOthers(Box::new(done.clone()));
                    transition(payment, done, context)
                };
                let stored =
                    self.driver
                        .commit_decision(self, origin, merchant_id, payment_id, decide);
                let stored = stored.await?;
                let inputs = <Payment as Aggregate>::Inputs::default();
                self.driver.carry_out(self, origin, stored, inputs).await?;
                Ok(payment_id.to_string())
            }
        }
    }

    /// Creates a refund for it, once, and records that it is done.
    async fn adopt_refund(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        done: DoneByOthers,
    ) -> Result<RefundId, AppError> {
        let mut decisions = Decisions::begin(Object::Payment);
        let refund = loop {
            let payment = Payment::load(self, merchant_id, payment_id).await?;
            let refunds = self
                .refunds
                .store
                .refunds_of(merchant_id, payment_id)
                .await?;
            let known = refunds
                .into_iter()
                .find(|refund| refund.operation.reference.as_ref() == Some(&done.reference));
            if let Some(known) = known {
                break known;
            }
            let refund_id = RefundId::generate(self.base.random.as_ref());
            let decided = Refund::of_others(&payment, refund_id, &done, &self.base.context())?;
            let step = Step {
                payment_before: payment,
                decided,
            };
            let mut none = CallCredentials::default();
            let committed = self
                .driver
                .commit_step::<RefundOfPayment>(
                    &self.refunds,
                    origin,
                    None,
                    step,
                    &mut none,
                    Stage::FIRST,
                )
                .await;
            match committed {
                Ok(stored) => break stored.object.refund,
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        };
        let fact = Fact {
            about: refund.operation.key.clone(),
            outcome: Outcome::Done(done.approval),
        };
        let refund_id = refund.refund_id;
        self.driver
            .apply_fact::<RefundOfPayment>(&self.refunds, origin, merchant_id, &refund_id, fact)
            .await?;
        Ok(refund_id)
    }
}
