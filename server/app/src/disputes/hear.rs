//! Taking in how a processor says that a dispute stands: unasked, or because it was asked.

use multirail_domain::connector::DisputeNews;
use multirail_domain::context::Context;
use multirail_domain::dispute::{Dispute, Input, Raise};
use multirail_domain::ids::{ConnectorAccountId, DisputeId, MerchantId};
use multirail_domain::payment::Payment;
use multirail_domain::received_notice::disputed_attempt;

use super::super::driver::{Decisions, Stage, Stored};
use super::super::{App, AppError, Origin};
use super::aggregate::{DisputeOfPayment, KeptFile, Step};
use crate::ports::CommitError;
use crate::ports::failure::duplicate;
use crate::ports::open_operations::OpenObject;

impl App {
    /// Opens or moves the dispute that this account tells of; nothing where no payment is found that was made through it and
    /// that the dispute is about.
    pub(crate) async fn hear_of_dispute(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        news: &DisputeNews,
    ) -> Result<Option<DisputeId>, AppError> {
        let mut decisions = Decisions::begin();
        loop {
            let known = self
                .store
                .dispute_at_processor(merchant_id, account, &news.reference)
                .await?;
            if let Some(known) = known {
                let dispute_id = known.dispute_id;
                self.move_dispute(origin, merchant_id, &dispute_id, news)
                    .await?;
                return Ok(Some(dispute_id));
            }
            let Some((payment, attempt)) = self.disputed(merchant_id, account, news).await? else {
                return Ok(None);
            };
            let raise = Raise {
                dispute_id: DisputeId::generate(self.random.as_ref()),
                account: account.clone(),
                attempt,
            };
            let context = self.context();
            let Some(decided) = Dispute::raise(&payment, raise, news.clone(), &context) else {
                return Ok(None);
            };
            let step = Step {
                payment_before: payment,
                decided,
            };
            let committed: Result<Stored<DisputeOfPayment>, _> = self
                .commit_step(origin, None, step, &mut KeptFile::default(), Stage::FIRST)
                .await;
            match committed {
                Ok(stored) => return Ok(Some(stored.object.dispute.dispute_id)),
                // Another notice of it was quicker: then this one moves it.
                Err(CommitError::Duplicate(duplicate::DISPUTE)) => {}
                Err(error) => decisions.retry_on_conflict(error, AppError::of_commit)?,
            }
        }
    }

    /// Applies to a dispute what was told of it.
    pub(super) async fn move_dispute(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
        news: &DisputeNews,
    ) -> Result<DisputeOfPayment, AppError> {
        let hear = |before: &DisputeOfPayment, context: &Context| {
            before.decide(Input::News(Box::new(news.clone())), context)
        };
        let stored = self.commit_decision(origin, merchant_id, dispute_id, hear);
        Ok(stored.await?.object)
    }

    /// The payment whose money is disputed, and which attempt took that.
    async fn disputed(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        news: &DisputeNews,
    ) -> Result<Option<(Payment, u32)>, AppError> {
        let about = news.about();
        for object in self.store.objects_of_notice(merchant_id, &about).await? {
            let OpenObject::Payment(payment_id) = object else {
                continue;
            };
            let payment = self.store.payment(merchant_id, &payment_id).await?;
            let attempt = payment
                .as_ref()
                .and_then(|payment| disputed_attempt(payment, account, news));
            if let Some(found) = payment.zip(attempt) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
