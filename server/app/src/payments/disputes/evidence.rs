//! Evidence before its submission: files are attached, read and removed. Expired evidence is deleted.

use multirail_domain::payments::dispute::{
    Command, Dispute, EvidenceFile, EvidenceItem, FileBytes, FileType, Input,
};
use multirail_kernel::context::Context;
use multirail_kernel::ids::{DisputeId, FileId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use super::act::check_places;
use super::aggregate::KeptFile;
use super::{DisputeOfPayment, Disputes};
use crate::operations::driver::{Aggregate, Stage, Stored};
use crate::platform::decisions::Decisions;
use crate::platform::ports::StoreFailure;
use crate::{AppError, Origin};

impl Disputes {
    /// Stores a file for submission with the other evidence. It replaces the file of the same item.
    ///
    /// # Errors
    /// An unknown dispute, or one that takes no files in its state; a file of the wrong kind or too large; an item that
    /// is a text, or that the processor doesn't accept.
    pub async fn attach_evidence(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
        item: EvidenceItem,
        bytes: FileBytes,
    ) -> Result<FileId, AppError> {
        let dispute = self.find(merchant_id, scope, dispute_id).await?;
        let connector = self.processors.connector(&dispute.charge.connector)?;
        let given = bytes.as_slice();
        let file_type = FileType::detect(given).ok_or_else(|| {
            let kinds = FileType::ALL.iter().map(|kind| kind.as_str());
            let kinds: Vec<&str> = kinds.collect();
            Refusal::invalid_value(format!(
                "the file is none of the kinds that processors take: {}",
                kinds.join(", ")
            ))
        })?;
        let file = EvidenceFile {
            item,
            file_id: FileId::generate(self.base.random.as_ref()),
            file_type,
            bytes: i64::try_from(given.len()).unwrap_or(i64::MAX),
            attached_at: self.base.now(),
            unread: UnreadMembers::default(),
        };
        let mut decisions = Decisions::begin(Object::Dispute);
        loop {
            let before = DisputeOfPayment::load(self, merchant_id, dispute_id).await?;
            let attach = Command::Attach { file: file.clone() };
            let step = before.decide(Input::Command(attach), &self.base.context())?;
            check_places(&*connector, &step.decided.dispute)?;
            let mut kept = KeptFile(Some((file.file_id.clone(), bytes.clone())));
            let committed: Result<Stored<DisputeOfPayment>, _> = self
                .driver
                .commit_step(self, origin, Some(before), step, &mut kept, Stage::FIRST)
                .await;
            match committed {
                Ok(_) => return Ok(file.file_id),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the evidence so far.
    ///
    /// # Errors
    /// An unknown dispute.
    pub async fn evidence(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
    ) -> Result<Dispute, AppError> {
        self.find(merchant_id, scope, dispute_id).await
    }

    /// Removes an item that isn't submitted yet. A missing item is no error.
    ///
    /// # Errors
    /// An unknown dispute, or one whose evidence can't be changed any more.
    pub async fn remove_evidence(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
        item: EvidenceItem,
    ) -> Result<Dispute, AppError> {
        self.find(merchant_id, scope, dispute_id).await?;
        let remove = |before: &DisputeOfPayment, context: &Context| {
            before.decide(Input::Command(Command::Remove { item }), context)
        };
        let stored = self
            .driver
            .commit_decision(self, origin, merchant_id, dispute_id, remove);
        Ok(stored.await?.object.dispute)
    }

    /// Deletes the evidence of up to `at_most` disputes that ended before this time; returns their number. Logs a
    /// dispute that can't be read, which keeps its evidence.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn forget_evidence(
        &self,
        origin: &Origin,
        ended_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        let old = self
            .store
            .disputes_with_old_evidence(ended_before, at_most)
            .await?;
        let mut forgotten = 0;
        for (merchant_id, dispute_id) in old {
            let forget = |before: &DisputeOfPayment, context: &Context| {
                before.decide(Input::Command(Command::Forget), context)
            };
            match self
                .driver
                .commit_decision(self, origin, &merchant_id, &dispute_id, forget)
                .await
            {
                Ok(_) => forgotten += 1,
                Err(error) => {
                    tracing::warn!(%merchant_id, %dispute_id, %error, "evidence could not be deleted in time");
                }
            }
        }
        Ok(forgotten)
    }
}
