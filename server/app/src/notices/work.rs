//! Working on filed notices: read, matched with what was asked for, and applied like an answer.

use multirail_domain::payment::Payment;
use multirail_domain::received_notice::{Heard, NoticeStatus, Sender, ToldOf, next_try};
use multirail_kernel::ids::MerchantId;
use multirail_sdk::connector::{Fact, News, Notice};

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
        let seconds = self.leases.seconds(Leased::Notice);
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
        let connector = self.processors.connector(&claimed.connector)?;
        let account = self
            .processor_accounts
            .ever(&claimed.merchant_id, &claimed.merchant_connector_id);
        let account = account.await?;
        let Ok(notices) = connector.read_notices(&claimed.content, &account.access()) else {
            return Ok(NoticeWork::unread(None));
        };
        let mut objects = Vec::new();
        let mut heard = Heard::Nothing;
        let sender = Sender {
            account: &claimed.merchant_connector_id,
            profile: &account.profile_id,
            connector: &claimed.connector,
        };
        for notice in &notices {
            let applied = self.apply_notice(origin, &claimed.merchant_id, sender, notice);
            let (one, object) = applied.await?;
            heard = heard.max(one);
            objects.extend(object);
        }
        let is_unmatched = heard == Heard::Unmatched;
        let next_try_at = next_try(claimed.received_at, self.now()).filter(|_| is_unmatched);
        Ok(NoticeWork {
            status: NoticeStatus::after_work(heard, next_try_at.is_some()),
            kinds: notices.into_iter().map(|notice| notice.kind).collect(),
            objects,
            next_try_at,
        })
    }

    /// Applies one thing that is told; answers the id of the payment or refund that it is about, where that was found.
    pub(super) async fn apply_notice(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        notice: &Notice,
    ) -> Result<(Heard, Option<String>), AppError> {
        let (about, outcome) = match &notice.news {
            News::Nothing => return Ok((Heard::Nothing, None)),
            News::Unreadable => return Ok((Heard::Unreadable, None)),
            News::Dispute(news) => {
                let heard = self.disputes.hear_of(origin, merchant_id, sender, news);
                return Ok(match heard.await? {
                    Some(dispute_id) => (Heard::Applied, Some(dispute_id.to_string())),
                    None => (Heard::Unmatched, None),
                });
            }
            News::Outcome { about, outcome } => (about, Some(outcome)),
            News::Hint { about } => (about, None),
        };
        let matched = self.match_operation(merchant_id, sender, about, outcome);
        let (object, told) = match matched.await? {
            Match::Told { object, told } => (object, *told),
            // There is nothing to ask about.
            Match::NotAskedFor(_) if outcome.is_none() => return Ok((Heard::Nothing, None)),
            Match::NotAskedFor(Some(done)) => {
                let (payment_id, done) = *done;
                let adopted = self.adopt(origin, merchant_id, &payment_id, done);
                return Ok((Heard::Applied, Some(adopted.await?)));
            }
            Match::NotAskedFor(None) | Match::Nothing => return Ok((Heard::Unmatched, None)),
        };
        match object {
            OpenObject::Payment(id) => {
                let heard = self.hear::<Payment>(self, origin, merchant_id, &id, told);
                Ok((heard.await?, Some(id.to_string())))
            }
            OpenObject::Refund(id) => {
                let heard =
                    self.hear::<RefundOfPayment>(&self.refunds, origin, merchant_id, &id, told);
                Ok((heard.await?, Some(id.to_string())))
            }
            OpenObject::Dispute(id) => {
                let heard =
                    self.hear::<DisputeOfPayment>(&self.disputes, origin, merchant_id, &id, told);
                Ok((heard.await?, Some(id.to_string())))
            }
        }
    }

    /// Applies what was told of an operation, or asks about it where nothing was told that counts.
    async fn hear<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        told: ToldOf,
    ) -> Result<Heard, AppError> {
        match told {
            ToldOf::Fact(fact) => {
                let applied =
                    self.driver
                        .apply_fact::<A>(services, origin, merchant_id, id, fact.clone());
                let object = applied.await?;
                Ok(heard(&object, Some(&fact)))
            }
            ToldOf::Hint(key) => {
                self.driver
                    .sync_operation::<A>(services, origin, merchant_id, id, &key)
                    .await?;
                Ok(Heard::Applied)
            }
            // While that tells nothing either, the notice may come to count: when the processor's reference is learned.
            ToldOf::HintOfBrought { key, said } => {
                let asked =
                    self.driver
                        .sync_operation::<A>(services, origin, merchant_id, id, &key);
                let object = asked.await?;
                let operation = object.operation(&key);
                if operation.is_some_and(|operation| operation.progress.is_open()) {
                    return Ok(Heard::Unmatched);
                }
                let fact = said.map(|outcome| Fact {
                    about: key,
                    outcome,
                });
                Ok(heard(&object, fact.as_ref()))
            }
            ToldOf::NotAskedFor | ToldOf::AnotherAccount => Ok(Heard::Unmatched),
        }
    }
}

/// What became of what was told of an operation, after it was recorded or asked about.
fn heard<A: Aggregate>(object: &A, told: Option<&Fact>) -> Heard {
    if told.is_some_and(|fact| object.contradicts(fact)) {
        Heard::Contradicted
    } else {
        Heard::Applied
    }
}
