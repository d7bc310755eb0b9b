//! A dispute: the payer, or his bank, wants money back that a payment captured. The processor raises and moves it; the
//! merchant may give in or bring evidence. (Specification 2.3; facts 2.8, 2.9, 3.12, 7.9)

mod action;
mod bring;
mod heard;
mod raise;
mod transition;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, DisputeId, MerchantId, PaymentId, ProcessorKey, ProfileId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::payments::payment::{DisputeShare, Payment};

pub use action::DisputeAction;
pub use multirail_sdk::connector::{DisputeActionKind, DisputeStage, DisputeStatus};
pub use multirail_sdk::evidence::{
    Evidence, EvidenceFile, EvidenceItem, EvidenceText, FileBytes, FileType, LARGEST_FILE,
    LARGEST_FILES, LONGEST_TEXT,
};
pub use raise::Raise;
pub use transition::{Command, Effect, Input, Step, transition};

/// The aggregate. What it takes from what its payment captured, the payment counts
/// ([`Payment::disputes`](crate::payments::payment::Payment::disputes)): both change in one commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    pub merchant_id: MerchantId,
    pub dispute_id: DisputeId,
    pub payment_id: PaymentId,
    /// Whose payment it is; unset of guests. Kept beside the record, not in it.
    #[serde(skip)]
    pub customer_id: Option<CustomerId>,
    pub profile_id: ProfileId,
    /// Counts the stored changes; 0 until stored. Kept beside the record, not in it.
    #[serde(skip)]
    pub version: i64,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// The processor's word for both.
    pub processor_status: String,
    /// Among the processor's words for this stage and status.
    #[serde(default, skip_serializing_if = "is_lowest")]
    pub rank: u8,
    /// What is disputed, in minor units.
    pub amount: i64,
    /// As a rule the payment's; processors also tell the payer's.
    pub currency: Currency,
    /// In the processor's words.
    pub reason: Option<String>,
    /// The card scheme's.
    pub reason_code: Option<String>,
    pub challenge_required_by: Option<Timestamp>,
    pub processor_created_at: Option<Timestamp>,
    pub processor_updated_at: Option<Timestamp>,
    pub charge: DisputedCharge,
    /// What was asked of the processor, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<DisputeAction>,
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The attempt whose money is disputed, and what the processor calls the dispute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisputedCharge {
    /// Number of the attempt.
    pub attempt: u32,
    pub connector: String,
    pub merchant_connector_id: ConnectorAccountId,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    /// The processor's id of the dispute.
    pub reference: String,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

fn is_lowest(rank: &u8) -> bool {
    *rank == 0
}

impl Dispute {
    /// How its payment counts it.
    pub fn share(&self) -> DisputeShare {
        DisputeShare {
            dispute_id: self.dispute_id.clone(),
            stage: self.stage,
            status: self.status,
            amount: self.amount,
            currency: self.currency,
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// These are its disputes, each as it counts them: payment and disputes were read of the same moment.
    pub fn agrees_with_disputes(&self, disputes: &[Dispute]) -> bool {
        let is_counted = |dispute: &Dispute| {
            let share = dispute.share();
            self.disputes.iter().any(|counted| counted.says(&share))
        };
        self.disputes.len() == disputes.len() && disputes.iter().all(is_counted)
    }
}
