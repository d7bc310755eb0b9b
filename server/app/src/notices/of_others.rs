//! Changes that somebody else than this service made at the processor, told by a notice.

use multirail_domain::payment::{DoneByOthers, Input, Payment, What, transition};
use multirail_domain::received_notice::Sender;
use multirail_domain::refund::Refund;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::{Fact, News, Notice, OperationKind, Outcome, PaymentAt};

use super::super::decisions::Decisions;
use super::super::driver::{Aggregate, Stage};
use super::super::payments::CallCredentials;
use super::super::refunds::{RefundOfPayment, Step};
use super::super::{App, AppError, Origin};

impl App {
    /// Asks the processor what was done to a payment, by whomever, and records what isn't known; answers the payment after that.
    ///
    /// # Errors
    /// A store that fails. A processor that tells nothing is no error.
    pub(crate) async fn look_over(
        &self,
        origin: &Origin,
        payment: Payment,
    ) -> Result<Payment, AppError> {
        let attempt = payment.active();
        let Some((account_id, reference)) = attempt.looked_over_by() else {
            return Ok(payment);
        };
        let name = attempt.connector.as_deref().unwrap_or_default();
        let connector = self.processors.connector(name)?;
        let account = self
            .processor_accounts
            .ever(&payment.merchant_id, account_id)
            .await?;
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let refunds = self.store.refunds_of(merchant_id, payment_id).await?;
        let own = attempt.operations().map(|(_, operation)| operation);
        let own = own.chain(refunds.iter().map(|refund| &refund.operation));
        let asked = PaymentAt {
            access: account.access(),
            authorization_reference: reference.to_owned(),
            own_keys: own.map(|operation| operation.key.clone()).collect(),
            currency: payment.terms.currency,
        };
        let sender = Sender {
            account: account_id,
            profile: &account.profile_id,
            connector: name,
        };
        let Some(_place) = self.processors.place_to_ask(&asked.access).await else {
            return Ok(payment);
        };
        let patience = self.leases.processor_deadline;
        let told = tokio::time::timeout(patience, connector.look_over(asked)).await;
        let mut told = told.unwrap_or_default();
        // Refunds come after the captures that they give back.
        told.sort_by_key(|news| match news {
            News::Outcome { about, .. } => about.kind == OperationKind::Refund,
            News::Hint { .. } | News::Dispute(_) | News::Nothing | News::Unreadable => true,
        });
        let mut is_new = false;
        for news in told {
            if matches!(news, News::Outcome { .. }) {
                let notice = Notice {
                    id: String::new(),
                    kind: String::new(),
                    happened_at: None,
                    news,
                };
                self.apply_notice(origin, merchant_id, sender, &notice)
                    .await?;
                is_new = true;
            }
        }
        if is_new {
            Payment::load(self, merchant_id, payment_id).await
        } else {
            Ok(payment)
        }
    }

    /// Records what others did to a payment; answers the id of the object that was changed.
    pub(super) async fn adopt(
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

    /// Makes a refund of its own of it, once, and records that it is done.
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
            let refunds = self.store.refunds_of(merchant_id, payment_id).await?;
            let known = refunds
                .into_iter()
                .find(|refund| refund.operation.reference.as_ref() == Some(&done.reference));
            if let Some(known) = known {
                break known;
            }
            let refund_id = RefundId::generate(self.random.as_ref());
            let decided = Refund::of_others(&payment, refund_id, &done, &self.context())?;
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
                        .retry_on_conflict(self.random.as_ref(), error, AppError::of_commit)
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
