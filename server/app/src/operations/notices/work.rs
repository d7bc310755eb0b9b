//! Works on filed notices: reads them, matches them with operations, and applies them like answers.

use multirail_domain::operations::received_notice::{Heard, NoticeStatus, Sender, next_try};
use multirail_kernel::ids::MerchantId;
use multirail_sdk::connector::{News, Notice};

use super::Notices;
use super::match_operation::Match;
use crate::operations::ports::notices::{ClaimedNotice, NoticeWork};
use crate::operations::ports::open_operations::OpenObject;
use crate::platform::lease::Leased;
use crate::{AppError, Origin};

impl Notices {
    /// Claims due notices, up to `at_most`.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self, at_most: i64) -> Result<Vec<ClaimedNotice>, AppError> {
        let (now, wall) = (self.base.now(), self.base.clock.wall());
        let seconds = self.base.leases.seconds(Leased::Notice);
        let claimed = self.store.claim_notices(now, wall, seconds, at_most);
        Ok(claimed.await?)
    }

    /// Works on a claimed notice and returns the result.
    ///
    /// # Errors
    /// The reason why the notice can't be applied now. It is tried again for a day.
    pub async fn work_on(
        &self,
        origin: &Origin,
        claimed: &ClaimedNotice,
    ) -> Result<NoticeStatus, AppError> {
        let (work, result) = match self.apply_all(origin, claimed).await {
            Ok(work) => (work, Ok(())),
            Err(error) => {
                let next_try_at = next_try(claimed.received_at, self.base.now());
                (NoticeWork::unread(next_try_at), Err(error))
            }
        };
        self.store.end_notice(claimed, &work).await?;
        result.map(|()| work.status)
    }

    async fn apply_all(
        &self,
        origin: &Origin,
        claimed: &ClaimedNotice,
    ) -> Result<NoticeWork, AppError> {
        let connector = self.processors.connector(&claimed.connector)?;
        let account = self
            .processors
            .accounts
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
            let applied = self.apply(origin, &claimed.merchant_id, sender, notice);
            let (one, object) = applied.await?;
            heard = heard.max(one);
            objects.extend(object);
        }
        let is_unmatched = heard == Heard::Unmatched;
        let next_try_at = next_try(claimed.received_at, self.base.now()).filter(|_| is_unmatched);
        Ok(NoticeWork {
            status: NoticeStatus::after_work(heard, next_try_at.is_some()),
            kinds: notices.into_iter().map(|notice| notice.kind).collect(),
            objects,
            next_try_at,
        })
    }

    /// Applies one item of a notice. Returns the id of the payment or refund that it is about, where that was found.
    pub(crate) async fn apply(
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
                    Some(dispute_id) => (Heard::Applied, Some(dispute_id)),
                    None => (Heard::Unmatched, None),
                });
            }
            News::Outcome { about, outcome } => (about, Some(outcome)),
            News::Hint { about } => (about, None),
        };
        let matched = self.match_operation(merchant_id, sender, about, outcome);
        let (object, told) = match matched.await? {
            Match::Told { object, told } => (object, *told),
            // Without an outcome there is no operation to sync.
            Match::NotAskedFor(_) if outcome.is_none() => return Ok((Heard::Nothing, None)),
            Match::NotAskedFor(Some(done)) => {
                return Ok((Heard::Applied, Some(done.adopt(origin).await?)));
            }
            Match::NotAskedFor(None) | Match::Nothing => return Ok((Heard::Unmatched, None)),
        };
        let OpenObject { class, id } = object;
        let heard = self
            .objects
            .get(class)?
            .hear(origin, merchant_id, &id, told);
        Ok((heard.await?, Some(id)))
    }
}
