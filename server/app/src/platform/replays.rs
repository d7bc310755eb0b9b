//! Answers repeats of requests. The first try of some died between its commits: each kind of object whose requests have
//! several commits reports how one of them ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

use super::base::Base;
use super::idempotency::{Claim, Commits, ForKey, Resumed};
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::idempotency::{Answer, KeyRecord, StoredAnswer};
use crate::platform::ports::{ChangeSet, CommitError, IdempotencyStore, ObjectClass, StoreFailure};
use crate::{AppError, Origin};

/// Finds out how a request ended that changed an object of this class.
#[async_trait]
pub trait Replay: Send + Sync {
    /// Returns the class, as [`Commits`] names it.
    fn class(&self) -> ObjectClass;

    /// Returns the answer to store; `None` where the repeat is to carry the request out, which the claim then says.
    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError>;
}

/// Answers repeats. It knows no object: each kind whose requests have several commits is registered.
pub struct Replays {
    pub base: Arc<Base>,
    pub store: Arc<dyn IdempotencyStore>,
    /// One object kind for each class that `Commits::Several` names.
    pub objects: Vec<Arc<dyn Replay>>,
}

impl Replays {
    /// Returns the stored answer of a request that was sent before. Returns `None` where it wasn't, or has to be
    /// carried out again.
    ///
    /// # Errors
    /// [`Refusal::KeyReused`] when the key came with another request, [`Refusal::KeyInUse`] while the first request is
    /// running, [`Refusal::CustomerRedacted`] where the answer contained data of a customer who was redacted since.
    pub async fn replay(
        &self,
        origin: &Origin,
        claim: &Claim,
    ) -> Result<Option<SecretText>, AppError> {
        let Some(record) = self.record(claim).await? else {
            return Ok(None);
        };
        same_request(&record, claim)?;
        match &record.answer {
            StoredAnswer::NotYet => {}
            StoredAnswer::Given(answer) => return Ok(Some(answer.clone())),
            StoredAnswer::Redacted => return Err(Refusal::CustomerRedacted.into()),
        }
        let Commits::Several { of, is_resumed: _ } = claim.commits else {
            return Err(AppError::Broken(format!(
                "{} takes one commit and left its idempotency key without an answer",
                claim.operation
            )));
        };
        let mut of_class = self.objects.iter().filter(|object| object.class() == of);
        let object = of_class.next().ok_or_else(|| {
            AppError::Broken(format!("repeats of requests for a {of} are not known here"))
        })?;
        let worker = origin.without_claim();
        match object.replay(&worker, claim, &record).await? {
            Some(answer) => self.store_answer(&worker, claim, answer).await.map(Some),
            None => Ok(None),
        }
    }

    /// Returns the answer that a repeat got while this request was running, which is this request's answer too. Also
    /// checks that a successful request has stored an answer.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn given_meanwhile(&self, claim: &Claim) -> Result<Option<SecretText>, AppError> {
        claim.check_answered();
        if !claim.is_overtaken.load(Ordering::Acquire) {
            return Ok(None);
        }
        let record = self.record(claim).await?;
        Ok(record.and_then(|record| record.answer.given()))
    }

    /// Checks a refused request: it may be a repeat that came before its key was claimed, and is refused because of the
    /// first request's effect.
    ///
    /// # Errors
    /// As [`Replays::replay`] where the key is claimed by now; a store that fails.
    pub async fn check_not_repeated(&self, claim: &Claim) -> Result<(), AppError> {
        let Some(record) = self.record(claim).await? else {
            return Ok(());
        };
        same_request(&record, claim)?;
        let is_left = |resumed: &Resumed| resumed.lease_until == record.lease_until;
        let is_open = record.answer == StoredAnswer::NotYet;
        if is_open && claim.resumes.get().is_some_and(is_left) {
            return Ok(());
        }
        Err(Refusal::KeyInUse.into())
    }

    async fn record(&self, claim: &Claim) -> Result<Option<KeyRecord>, StoreFailure> {
        self.store
            .idempotency_record(&claim.merchant_id, claim.operation, &claim.key)
            .await
    }

    /// Stores the answer of a request that died before it could. Returns the answer that the key then has: of two
    /// concurrent answers the first one counts.
    async fn store_answer(
        &self,
        worker: &Origin,
        claim: &Claim,
        answer: Answer,
    ) -> Result<SecretText, AppError> {
        let (base, merchant_id) = (&self.base, Some(&claim.merchant_id));
        let change_set = ChangeSet {
            idempotency: vec![base.answer_change(claim, answer.clone())],
            ..base.change_set(worker, merchant_id, ForKey::Nothing, Vec::new())
        };
        match base.commit(change_set).await {
            Ok(()) | Err(CommitError::Duplicate(duplicate::ANSWER)) => {}
            Err(error) => return Err(AppError::of_commit(error)),
        }
        let stored = self.record(claim).await?;
        let stored = stored.and_then(|record| record.answer.given());
        Ok(stored.unwrap_or(answer.text))
    }
}

/// Refuses a key that came with another request before. The refusal names the difference.
fn same_request(record: &KeyRecord, claim: &Claim) -> Result<(), Refusal> {
    match record.fingerprint.difference(&claim.fingerprint) {
        None => Ok(()),
        Some(member) => Err(Refusal::KeyReused {
            member: member.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests;
