//! What processors tell of disputes, and what is asked of them there.

use crate::connector::access::Access;
use crate::connector::{About, OperationKind};
use crate::dispute::{DisputeStage, DisputeStatus, Evidence};
use crate::ids::ProcessorKey;
use crate::money::Money;
use crate::timestamp::Timestamp;

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
    pub authorization_reference: Option<String>,
    pub money: Money,
}

/// Give in.
#[derive(Debug)]
pub struct AcceptDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
}

/// Hand in what speaks against it.
#[derive(Debug)]
pub struct ChallengeDisputeRequest {
    pub key: ProcessorKey,
    pub dispute: DisputeAt,
    pub evidence: Evidence,
}

/// What a connector can do about disputes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisputeAbilities {
    /// Merchants can give in through it.
    pub accepts: bool,
    /// Merchants can hand in evidence through it.
    pub challenges: bool,
    /// The processor can be asked how a dispute stands.
    pub finds: bool,
}

impl DisputeAbilities {
    /// It tells of disputes at most.
    pub const NONE: DisputeAbilities = DisputeAbilities {
        accepts: false,
        challenges: false,
        finds: false,
    };
}
