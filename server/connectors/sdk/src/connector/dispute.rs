//! What processors tell of disputes, and what is asked of them there.

use multirail_kernel::ids::{FileId, ProcessorKey};
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::connector::access::Access;
use crate::connector::{About, OperationKind, Recovery};
use crate::connector::{DisputeStage, DisputeStatus};
use crate::evidence::{EvidenceItem, EvidenceText, FileType};

words! {
    /// What is asked of a processor about a dispute.
    pub enum DisputeActionKind {
        Accept = "accept_dispute",
        Challenge = "challenge_dispute",
    }
}

/// How a dispute stands, in a processor's own words and in ours. It is told unasked, and answered to questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeNews {
    /// The processor's id of the dispute.
    pub reference: String,
    /// The processor's name of the authorization whose money is disputed.
    pub authorization_reference: Option<String>,
    /// Our own name of it, where the processor hands that back.
    pub authorization_key: Option<ProcessorKey>,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// The processor's word for stage and status.
    pub processor_status: String,
    /// Where a processor has several words for one stage and status: their order. Of two that it tells of the same moment the
    /// higher one holds, whichever is heard of first. A win of a higher rank overturns a loss of the same stage.
    pub rank: u8,
    pub money: Money,
    /// Why the payer disputes, in the processor's words.
    pub reason: Option<String>,
    /// The same as the card scheme's code.
    pub reason_code: Option<String>,
    pub challenge_required_by: Option<Timestamp>,
    /// When it began, by the processor's clock.
    pub opened_at: Option<Timestamp>,
    /// When it came to stand so, by the processor's clock.
    pub updated_at: Option<Timestamp>,
}

impl DisputeNews {
    /// The authorization whose money is disputed.
    pub fn about(&self) -> About {
        About {
            kind: OperationKind::Authorize,
            key: self.authorization_key.clone(),
            reference: self.authorization_reference.clone(),
            authorization_reference: self.authorization_reference.clone(),
            authorization_key: self.authorization_key.clone(),
        }
    }
}

/// The dispute that something is asked of, and the account that it is at.
#[derive(Debug)]
pub struct DisputeAt {
    pub access: Access,
    /// The processor's id of the dispute.
    pub reference: String,
    pub stage: DisputeStage,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    pub money: Money,
    /// Why the payer disputes, in the processor's words.
    pub reason: Option<String>,
    /// The same as the card scheme's code.
    pub reason_code: Option<String>,
}

/// Give in. Done is that the dispute is accepted, whatever the processor calls it.
#[derive(Debug)]
pub struct AcceptDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
}

/// Hand in what speaks against it. Done is that the processor has the evidence and judges it, or has others judge it.
///
/// Where a processor takes it in several requests, the outcome is that of the last one, with which it counts as handed in; one
/// before it that isn't taken is as if nothing had been sent. Each of them that makes something goes under a key that follows from
/// this one and from what it is for, so that all of them may come again.
#[derive(Debug)]
pub struct ChallengeDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
    pub evidence: EvidenceInFull,
}

/// Evidence with all that it says: at most one of each item.
#[derive(Debug, Default)]
pub struct EvidenceInFull {
    pub texts: Vec<EvidenceText>,
    pub files: Vec<FileInFull>,
}

/// A file with its bytes, which don't print.
#[derive(Clone, PartialEq, Eq)]
pub struct FileInFull {
    pub item: EvidenceItem,
    pub file_id: FileId,
    pub file_type: FileType,
    pub bytes: Vec<u8>,
}

impl FileInFull {
    /// How many bytes it has.
    pub fn size(&self) -> i64 {
        i64::try_from(self.bytes.len()).unwrap_or(i64::MAX)
    }
}

impl std::fmt::Debug for FileInFull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (item, file_type, bytes) = (self.item, self.file_type, self.bytes.len());
        write!(f, "FileInFull({item}: {bytes} bytes of {file_type})")
    }
}

/// An item of evidence that a processor has no place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPlace {
    pub item: EvidenceItem,
    /// What about it has none: "a text", "a file of image/png".
    pub why: String,
}

impl std::fmt::Display for NoPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.item, self.why)
    }
}

/// Tell of all disputes of the account that began in this time; those that only changed in it may be told of too.
#[derive(Debug)]
pub struct ListDisputesRequest {
    pub access: Access,
    /// Inclusive.
    pub from: Timestamp,
    /// Inclusive.
    pub until: Timestamp,
    /// [`DisputePage::next`] of the page before; unset for the first.
    pub page: Option<String>,
}

/// A part of what is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisputePage {
    pub disputes: Vec<DisputeNews>,
    /// Names the next part to the processor; unset where this is the last.
    pub next: Option<String>,
}

/// What a connector can do about disputes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisputeAbilities {
    /// Merchants can give in through it; and how it is learned what became of that where no answer can be trusted.
    ///
    /// A look-up asks how the dispute stands, and what `Absence` says is from when on it proves that nothing came of the action
    /// that the dispute stands as before. A repeat is the same request under the same key.
    pub accepts: Option<Recovery>,
    /// Merchants can hand in evidence through it; the rest as above.
    pub challenges: Option<Recovery>,
    /// The processor can be asked how a dispute stands. Whoever learns by look-up has to.
    pub finds: bool,
    /// The processor can be asked which disputes there are.
    pub lists: bool,
}

impl DisputeAbilities {
    /// It tells of disputes at most.
    pub const NONE: DisputeAbilities = DisputeAbilities {
        accepts: None,
        challenges: None,
        finds: false,
        lists: false,
    };

    /// How the outcome of this action is learned; nothing where it can't be asked for.
    pub fn recovery(&self, kind: DisputeActionKind) -> Option<Recovery> {
        match kind {
            DisputeActionKind::Accept => self.accepts,
            DisputeActionKind::Challenge => self.challenges,
        }
    }
}
