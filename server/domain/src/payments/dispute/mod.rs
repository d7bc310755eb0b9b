//! A dispute: the payer or the issuer demands captured money back. The processor opens and moves it; the merchant accepts it or
//! challenges it with evidence. (Specification 2.3; facts 2.8, 2.9, 3.12, 7.9)

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

/// The aggregate. The payment counts the disputed amount ([`Payment::disputes`](crate::payments::payment::Payment::disputes));
/// both change in one commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    pub merchant_id: MerchantId,
    pub dispute_id: DisputeId,
    pub payment_id: PaymentId,
    /// The payment's customer; `None` for guests. It has its own column.
    #[serde(skip)]
    pub customer_id: Option<CustomerId>,
    pub profile_id: ProfileId,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// The processor's word for stage and status.
    pub processor_status: String,
    /// Rank among the processor's words for this stage and status.
    #[serde(default, skip_serializing_if = "is_lowest")]
    pub rank: u8,
    /// The disputed amount, in minor units.
    pub amount: i64,
    /// Usually the payment's currency; some processors name the payer's.
    pub currency: Currency,
    /// In the processor's words.
    pub reason: Option<String>,
    /// The card scheme's code.
    pub reason_code: Option<String>,
    pub challenge_required_by: Option<Timestamp>,
    pub processor_created_at: Option<Timestamp>,
    pub processor_updated_at: Option<Timestamp>,
    pub charge: DisputedCharge,
    /// Requests to the processor, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<DisputeAction>,
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The attempt whose money is disputed, and the processor's references.
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
    /// Returns the dispute's data for its payment's count.
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
    /// Returns whether these are exactly the payment's disputes in their present state, so that both were read at the same
    /// moment.
    pub fn agrees_with_disputes(&self, disputes: &[Dispute]) -> bool {
        let is_counted = |dispute: &Dispute| {
            let share = dispute.share();
            self.disputes.iter().any(|counted| counted.says(&share))
        };
        self.disputes.len() == disputes.len() && disputes.iter().all(is_counted)
    }
}
