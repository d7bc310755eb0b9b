//! Applies a processor's report of a dispute, from a notice or an answer.

use multirail_domain::operations::received_notice::Sender;
use multirail_domain::payments::dispute::{Dispute, Input, Raise};
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::notice::disputed_attempt;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId, MerchantId, PaymentId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::DisputeNews;

use super::Disputes;
use super::aggregate::{DisputeOfPayment, KeptFile, Step};
use crate::operations::driver::{Stage, Stored};
use crate::payments::ports::PAYMENT;
use crate::platform::decisions::Decisions;
use crate::platform::ports::CommitError;
use crate::platform::ports::failure::duplicate;
use crate::{AppError, Origin};

impl Disputes {
    /// Opens or moves the dispute that this account reports. Returns `None` where no payment matches on which the
    /// account may report.
    pub(crate) async fn take_in(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        news: &DisputeNews,
    ) -> Result<Option<DisputeId>, AppError> {
        let mut decisions = Decisions::begin(Object::Dispute);
        loop {
            let known = self
                .store
                .dispute_at_processor(merchant_id, sender.account, &news.reference)
                .await?;
            let (payment, attempt) = match known {
                Some(known) => {
                    let moved = self.moves(origin, merchant_id, known.dispute_id, news);
                    return moved.await.map(Some);
                }
                None => match self.disputed(merchant_id, sender, news).await? {
                    Some(found) => found,
                    None => return Ok(None),
                },
            };
            if let Some(known) = self.reported_by_another(&payment, attempt, news).await? {
                let moved = self.moves(origin, merchant_id, known, news);
                return moved.await.map(Some);
            }
            let raise = Raise {
                dispute_id: DisputeId::generate(self.base.random.as_ref()),
                account: sender.account.clone(),
                attempt,
            };
            let context = self.base.context();
            let Some(decided) = Dispute::raise(&payment, raise, news.clone(), &context) else {
                return Ok(None);
            };
            let step = Step {
                payment_before: payment,
                decided,
            };
            let committed: Result<Stored<DisputeOfPayment>, _> = self
                .driver
                .commit_step(
                    self,
                    origin,
                    None,
                    step,
                    &mut KeptFile::default(),
                    Stage::FIRST,
                )
                .await;
            match committed {
                Ok(stored) => return Ok(Some(stored.object.dispute.dispute_id)),
                // Another notice opened the dispute first: now this one moves it.
                Err(CommitError::Duplicate(duplicate::DISPUTE)) => {}
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    async fn moves(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        dispute_id: DisputeId,
        news: &DisputeNews,
    ) -> Result<DisputeId, AppError> {
        self.move_by(origin, merchant_id, &dispute_id, news).await?;
        Ok(dispute_id)
    }

    /// Returns the same dispute of the same attempt where another account reported it first: one that was deleted
    /// since, or its successor.
    async fn reported_by_another(
        &self,
        payment: &Payment,
        attempt: u32,
        news: &DisputeNews,
    ) -> Result<Option<DisputeId>, AppError> {
        if payment.disputes.is_empty() {
            return Ok(None);
        }
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let disputes = self.store.disputes_of(merchant_id, payment_id).await?;
        let mut same = disputes
            .into_iter()
            .filter(|one| one.charge.attempt == attempt && one.charge.reference == news.reference);
        Ok(same.next().map(|one| one.dispute_id))
    }

    /// Applies a report to a dispute.
    pub(crate) async fn move_by(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
        news: &DisputeNews,
    ) -> Result<DisputeOfPayment, AppError> {
        let hear = |before: &DisputeOfPayment, context: &Context| {
            before.decide(Input::News(Box::new(news.clone())), context)
        };
        let stored = self
            .driver
            .commit_decision(self, origin, merchant_id, dispute_id, hear);
        Ok(stored.await?.object)
    }

    /// Returns the payment whose money is disputed, and the attempt that took the money.
    async fn disputed(
        &self,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        news: &DisputeNews,
    ) -> Result<Option<(Payment, u32)>, AppError> {
        let about = news.about();
        for object in self.notices.objects_of_notice(merchant_id, &about).await? {
            if object.class != PAYMENT {
                continue;
            }
            let Ok(payment_id) = PaymentId::parse(&object.id) else {
                continue;
            };
            let Some(payment) = self.payments.payment(merchant_id, &payment_id).await? else {
                continue;
            };
            let deleted = self.deleted_accounts(&payment).await?;
            if let Some(attempt) = disputed_attempt(&payment, sender, &deleted, news) {
                return Ok(Some((payment, attempt)));
            }
        }
        Ok(None)
    }

    /// Returns the accounts of the payment's attempts that are deleted.
    async fn deleted_accounts(
        &self,
        payment: &Payment,
    ) -> Result<Vec<ConnectorAccountId>, AppError> {
        let mut deleted = Vec::new();
        for attempt in &payment.attempts {
            let Some(account_id) = &attempt.merchant_connector_id else {
                continue;
            };
            let account = self
                .accounts
                .connector_account(&payment.merchant_id, account_id);
            if account.await?.is_none() {
                deleted.push(account_id.clone());
            }
        }
        Ok(deleted)
    }
}
