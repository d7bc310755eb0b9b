//! Working on filed notices: read, matched with what was asked for, and applied like an answer.

use multirail_domain::connector::{Fact, News, Notice, Outcome};
use multirail_domain::ids::{MerchantId, ProcessorKey};
use multirail_domain::payment::Payment;
use multirail_domain::received_notice::{NoticeStatus, next_try};

use super::super::disputes::DisputeOfPayment;
use super::super::driver::Aggregate;
use super::super::lease::Leased;
use super::super::refunds::RefundOfPayment;
use super::super::{App, AppError, Origin};
use super::match_operation::Match;
use crate::ports::notices::{ClaimedNotice, NoticeWork};
use crate::ports::open_operations::OpenObject;

impl App {
    /// Takes up notices that are due, at most so many.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim_notices(&self, at_most: i64) -> Result<Vec<ClaimedNotice>, AppError> {
        let (now, wall) = (self.now(), self.clock.wall());
        let seconds = self.leases().seconds(Leased::Notice);
        let claimed = self.store.claim_notices(now, wall, seconds, at_most);
        Ok(claimed.await?)
    }

    /// Works on a notice that was taken up, and says what came of it.
    ///
    /// # Errors
    /// What keeps the notice from being applied just now: it is tried again for a day.
    pub async fn work_on_notice(
        &self,
        origin: &Origin,
        claimed: &ClaimedNotice,
    ) -> Result<NoticeStatus, AppError> {
        let (work, result) = match self.apply_notices(origin, claimed).await {
            Ok(work) => (work, Ok(())),
            Err(error) => {
                let next_try_at = next_try(claimed.received_at, self.now());
                (NoticeWork::unread(next_try_at), Err(error))
            }
        };
        self.store.end_notice(claimed, &work).await?;
        result.map(|()| work.status)
    }

    async fn apply_notices(
        &self,
        origin: &Origin,
        claimed: &ClaimedNotice,
    ) -> Result<NoticeWork, AppError> {
        let connector = self.connector(&claimed.connector)?;
        let account = Some(&claimed.merchant_connector_id);
        let access = self.access(&claimed.merchant_id, account).await?;
        let Ok(notices) = connector.read_notices(&claimed.content, &access) else {
            return Ok(NoticeWork::unread(None));
        };
        let mut objects = Vec::new();
        let mut is_unmatched = false;
        for notice in &notices {
            match self.apply_notice(origin, claimed, notice).await? {
                Applied::To(object) => objects.push(object),
                Applied::Nothing => {}
                Applied::Unmatched => is_unmatched = true,
            }
        }
        let next_try_at = next_try(claimed.received_at, self.now()).filter(|_| is_unmatched);
        let is_applied = !objects.is_empty();
        Ok(NoticeWork {
            status: NoticeStatus::after_work(is_applied, is_unmatched, next_try_at.is_some()),
            kinds: notices.into_iter().map(|notice| notice.kind).collect(),
            objects,
            next_try_at,
        })
    }

    async fn apply_notice(
        &self,
        origin: &Origin,
        claimed: &ClaimedNotice,
        notice: &Notice,
    ) -> Result<Applied, AppError> {
        let (about, outcome) = match &notice.news {
            News::Nothing => return Ok(Applied::Nothing),
            News::Dispute(news) => {
                let (merchant_id, account) = (&claimed.merchant_id, &claimed.merchant_connector_id);
                let heard = self.hear_of_dispute(origin, merchant_id, account, news);
                return Ok(match heard.await? {
                    Some(dispute_id) => Applied::To(dispute_id.to_string()),
                    None => Applied::Unmatched,
                });
            }
            News::Outcome { about, outcome } => (about, Some(outcome)),
            News::Hint { about } => (about, None),
        };
        let (merchant_id, account) = (&claimed.merchant_id, &claimed.merchant_connector_id);
        let (object, key) = match self.match_operation(merchant_id, account, about).await? {
            Match::Operation { object, key } => (object, key),
            // There is nothing to ask about.
            Match::NotAskedFor if outcome.is_none() => return Ok(Applied::Nothing),
            Match::NotAskedFor | Match::Nothing => return Ok(Applied::Unmatched),
        };
        let outcome = outcome.cloned();
        match object {
            OpenObject::Payment(id) => {
                self.hear::<Payment>(origin, merchant_id, &id, key, outcome)
                    .await?;
                Ok(Applied::To(id.to_string()))
            }
            OpenObject::Refund(id) => {
                self.hear::<RefundOfPayment>(origin, merchant_id, &id, key, outcome)
                    .await?;
                Ok(Applied::To(id.to_string()))
            }
            OpenObject::Dispute(id) => {
                self.hear::<DisputeOfPayment>(origin, merchant_id, &id, key, outcome)
                    .await?;
                Ok(Applied::To(id.to_string()))
            }
        }
    }

    /// Applies what was told of an operation, or asks about it where nothing was told that counts.
    async fn hear<A: Aggregate>(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        key: ProcessorKey,
        outcome: Option<Outcome>,
    ) -> Result<(), AppError> {
        match outcome {
            Some(outcome) => {
                let fact = Fact {
                    about: key,
                    outcome,
                };
                self.apply_fact::<A>(origin, merchant_id, id, fact).await?
            }
            None => {
                self.sync_operation::<A>(origin, merchant_id, id, &key)
                    .await?
            }
        };
        Ok(())
    }
}

/// What became of one thing that was told.
enum Applied {
    /// To the payment, refund or dispute of this id.
    To(String),
    Nothing,
    /// Nothing of ours was found that it is about.
    Unmatched,
}
