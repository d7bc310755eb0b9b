//! Evidence of a dispute: adding, removing and deleting it.

use multirail_kernel::context::Context;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::evidence::Evidence;

use crate::payments::dispute::{
    Dispute, DisputeStage, DisputeStatus, Effect, EvidenceFile, EvidenceItem, LARGEST_FILE,
    LARGEST_FILES, LONGEST_TEXT, Step,
};
use crate::payments::payment::Payment;

impl Dispute {
    pub(crate) fn attach(
        &self,
        payment: &Payment,
        file: EvidenceFile,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.check_no_return(payment, "given a file")?;
        if self.stage != DisputeStage::Dispute {
            return Err(self.not_open("given a file"));
        }
        self.check_open(payment, "given a file")?;
        if !file.item.is_file() {
            let item = file.item;
            return Err(Refusal::invalid_value(format!(
                "evidence_type {item} is a text, not a file"
            )));
        }
        if !(1..=LARGEST_FILE).contains(&file.bytes) {
            return Err(Refusal::invalid_value(format!(
                "a file has at least one byte and at most {LARGEST_FILE}"
            )));
        }
        let mut dispute = self.clone();
        dispute.evidence.set_file(file);
        if dispute.evidence.bytes() > LARGEST_FILES {
            return Err(Refusal::invalid_value(format!(
                "the files of a dispute have at most {LARGEST_FILES} bytes together"
            )));
        }
        Ok(self.with_evidence(payment, dispute, context))
    }

    /// Removes an item of evidence that wasn't submitted yet.
    pub(crate) fn remove(
        &self,
        payment: &Payment,
        item: EvidenceItem,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.check_open(payment, "changed")?;
        let mut dispute = self.clone();
        dispute.evidence.remove(item);
        Ok(self.with_evidence(payment, dispute, context))
    }

    /// Deletes the evidence. Merchants see no change of the dispute.
    pub(crate) fn forget(&self, payment: &Payment) -> Step {
        let mut dispute = self.clone();
        if self.status.is_final() {
            dispute.evidence = Evidence::default();
        }
        Step {
            effects: self.files_gone(&dispute),
            payment: payment.clone(),
            dispute,
        }
    }

    fn with_evidence(&self, payment: &Payment, dispute: Dispute, context: &Context) -> Step {
        let gone = self.files_gone(&dispute);
        let mut step = self.step(payment, dispute, context);
        step.effects.extend(gone);
        step
    }

    fn files_gone(&self, next: &Dispute) -> Vec<Effect> {
        let files = self.evidence.files.iter();
        let gone = files.filter(|file| {
            let mut kept = next.evidence.files.iter();
            !kept.any(|kept| kept.file_id == file.file_id)
        });
        gone.map(|file| Effect::DeleteFile(file.file_id.clone()))
            .collect()
    }

    /// Checks that the evidence can be changed: none was submitted in this stage, and the dispute awaits the merchant.
    fn check_open(&self, payment: &Payment, done: &'static str) -> Result<(), Refusal> {
        self.check_no_return(payment, done)?;
        if self.status != DisputeStatus::Opened {
            return Err(self.not_open(done));
        }
        self.check_answerable(payment, done)
    }

    fn not_open(&self, done: &'static str) -> Refusal {
        Refusal::DisputeNotInState {
            done,
            why: format!("it is a {} and {}", self.stage, self.status),
        }
    }
}

/// Adds a text. For a file, the text has to be the id of the file attached under this name.
pub(crate) fn bring_text(
    evidence: &mut Evidence,
    item: EvidenceItem,
    text: String,
) -> Result<(), Refusal> {
    if item.is_file() {
        let attached = evidence.file(item).map(|file| file.file_id.as_str());
        if attached == Some(text.as_str()) {
            return Ok(());
        }
        let form = "the file_id of a file that was attached to the dispute under this name";
        return Err(Refusal::invalid_format(item.as_str(), form));
    }
    if text.chars().count() > LONGEST_TEXT {
        let form = format!("a text of at most {LONGEST_TEXT} characters");
        return Err(Refusal::invalid_format(item.as_str(), form));
    }
    evidence.set_text(item, text);
    Ok(())
}
