//! Disputes at a processor: its reports, and the requests to it.

use multirail_kernel::ids::{FileId, ProcessorKey};
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::connector::access::Access;
use crate::connector::{
    Ability, About, DisputeAcceptance, DisputeChallenges, DisputeLists, DisputeLookUps,
    DisputeStage, DisputeStatus, OperationKind, Recovery,
};
use crate::evidence::{EvidenceItem, EvidenceText, FileType};

words! {
    /// The actions that a processor takes on a dispute.
    pub enum DisputeActionKind {
        Accept = "accept_dispute",
        Challenge = "challenge_dispute",
    }
}

/// The state of a dispute, in the processor's words and in ours. It comes from notices and from
/// look-ups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeNews {
    /// The processor's id of the dispute.
    pub reference: String,
    /// The processor's reference of the disputed authorization.
    pub authorization_reference: Option<String>,
    /// The key of that authorization, where the processor returns it.
    pub authorization_key: Option<ProcessorKey>,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// The processor's word for stage and status.
    pub processor_status: String,
    /// The order of the processor's words for one stage and status. If two reports have the same
    /// time, the higher rank wins, in whichever order they arrive. A win of a higher rank overrides
    /// a loss in the same stage.
    pub rank: u8,
    pub money: Money,
    /// The payer's reason, in the processor's words.
    pub reason: Option<String>,
    /// The card scheme's reason code.
    pub reason_code: Option<String>,
    pub challenge_required_by: Option<Timestamp>,
    /// The start of the dispute, by the processor's clock.
    pub opened_at: Option<Timestamp>,
    /// The time of this state, by the processor's clock.
    pub updated_at: Option<Timestamp>,
}

impl DisputeNews {
    /// Returns the names of the disputed authorization.
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

/// A dispute, and its account at the processor.
#[derive(Debug)]
pub struct DisputeAt {
    pub access: Access,
    /// The processor's id of the dispute.
    pub reference: String,
    pub stage: DisputeStage,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    pub money: Money,
    /// The payer's reason, in the processor's words.
    pub reason: Option<String>,
    /// The card scheme's reason code.
    pub reason_code: Option<String>,
}

/// A request to accept a dispute. `Done` means that the dispute is accepted, whatever the processor
/// calls it.
#[derive(Debug)]
pub struct AcceptDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
}

/// A request to challenge a dispute with evidence. `Done` means that the processor has the evidence
/// and that somebody will judge it.
///
/// Some processors take evidence in several requests. The outcome is that of the last one, which
/// submits all of it; if an earlier one is refused, nothing counts as sent. Each request that
/// creates an object has a key derived from this key and its purpose, so that all can be repeated.
#[derive(Debug)]
pub struct ChallengeDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
    pub evidence: EvidenceInFull,
}

/// Evidence with its contents: one text or file per item at most.
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
    /// Returns the size in bytes.
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

/// An item of evidence that a processor doesn't accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPlace {
    pub item: EvidenceItem,
    /// The part that isn't accepted: "a text", "a file of image/png".
    pub why: String,
}

impl std::fmt::Display for NoPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.item, self.why)
    }
}

/// A request to list all disputes that began in this time. The list may include disputes that only
/// changed in it.
#[derive(Debug)]
pub struct ListDisputesRequest {
    pub access: Access,
    /// Inclusive.
    pub from: Timestamp,
    /// Inclusive.
    pub until: Timestamp,
    /// [`DisputePage::next`] of the previous page; unset for the first.
    pub page: Option<String>,
}

/// One page of a list of disputes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisputePage {
    pub disputes: Vec<DisputeNews>,
    /// The processor's name of the next page; unset on the last.
    pub next: Option<String>,
}

/// A connector's abilities for disputes.
#[derive(Clone, Copy, Debug)]
pub struct DisputeAbilities {
    /// Set if merchants can accept disputes through the connector. The recovery says how an unknown
    /// outcome is learned.
    ///
    /// A look-up asks for the state of the dispute. `Absence` says after which time an unchanged
    /// state proves that the action had no effect. A repeat sends the same request under the same
    /// key.
    pub accepts: Option<(Ability<dyn DisputeAcceptance>, Recovery)>,
    /// Set if merchants can challenge disputes through the connector. The recovery works as
    /// in `accepts`.
    pub challenges: Option<(Ability<dyn DisputeChallenges>, Recovery)>,
    /// The processor answers look-ups of one dispute. Required where recovery is a look-up.
    pub finds: Option<Ability<dyn DisputeLookUps>>,
    /// The processor lists disputes.
    pub lists: Option<Ability<dyn DisputeLists>>,
}

impl DisputeAbilities {
    /// A connector that reports disputes by notice at most.
    pub const NONE: DisputeAbilities = DisputeAbilities {
        accepts: None,
        challenges: None,
        finds: None,
        lists: None,
    };

    /// Returns how an unknown outcome of this action is learned, or `None` where the action isn't
    /// available.
    pub fn recovery(&self, kind: DisputeActionKind) -> Option<Recovery> {
        match kind {
            DisputeActionKind::Accept => self.accepts.map(|(_, recovery)| recovery),
            DisputeActionKind::Challenge => self.challenges.map(|(_, recovery)| recovery),
        }
    }
}
