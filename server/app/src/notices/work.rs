//! Working on filed notices: read, matched with what was asked for, and applied like an answer.

use multirail_domain::connector::{Fact, News, Notice};
use multirail_domain::ids::MerchantId;
use multirail_domain::payment::Payment;
use multirail_domain::received_notice::{NoticeStatus, next_try};

use super::super::driver::Aggregate;
use super::super::lease::Leased;
use super::super::refunds::RefundOfPayment;
use super::super::{App, AppError, Origin};
use super::match_operation::{Match, Matched};
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
                let status = match next_try_at {
                    Some(_) => NoticeStatus::Waiting,
                    None => NoticeStatus::Unreadable,
                };
                let (kinds, objects) = (Vec::new(), Vec::new());
                let work = NoticeWork {
                    status,
                    kinds,
                    objects,
                    next_try_at,
                };
                (work, Err(error))
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
            return Ok(NoticeWork {
                status: NoticeStatus::Unreadable,
                kinds: Vec::new(),
                objects: Vec::new(),
                next_try_at: None,
            });
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
        let status = if next_try_at.is_some() {
            NoticeStatus::Waiting
        } else if is_unmatched {
            NoticeStatus::Unmatched
        } else if objects.is_empty() {
            NoticeStatus::Ignored
        } else {
            NoticeStatus::Applied
        };
        Ok(NoticeWork {
            status,
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
            News::Outcome { about, outcome } => (about, Some(outcome)),
            News::Hint { about } => (about, None),
        };
        let (merchant_id, account) = (&claimed.merchant_id, &claimed.merchant_connector_id);
        let matched = match self.match_operation(merchant_id, account, about).await? {
            Match::Operation(matched) => matched,
            // Nothing of the kind was asked for, so there is nothing to ask about.
            Match::Payment if outcome.is_none() => return Ok(Applied::Nothing),
            Match::Payment | Match::Nothing => return Ok(Applied::Unmatched),
        };
        let fact = outcome.map(|outcome| Fact {
            about: matched.key.clone(),
            outcome: outcome.clone(),
        });
        match &matched.object {
            OpenObject::Payment(id) => {
                self.hear::<Payment>(origin, merchant_id, id, &matched, fact)
                    .await?;
                Ok(Applied::To(id.to_string()))
            }
            OpenObject::Refund(id) => {
                self.hear::<RefundOfPayment>(origin, merchant_id, id, &matched, fact)
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
        matched: &Matched,
        fact: Option<Fact>,
    ) -> Result<(), AppError> {
        match fact {
            Some(fact) => self.apply_fact::<A>(origin, merchant_id, id, fact).await?,
            None => {
                self.sync_operation::<A>(origin, merchant_id, id, &matched.key)
                    .await?
            }
        };
        Ok(())
    }
}

/// What became of one thing that was told.
enum Applied {
    /// To the payment or refund of this id.
    To(String),
    Nothing,
    /// Nothing of ours was found that it is about.
    Unmatched,
}
