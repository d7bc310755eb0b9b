//! Disputes: how they stand, and what is done about them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is handed in against a dispute.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ChallengeBody {
    /// By their names.
    pub texts: BTreeMap<String, String>,
    pub files: Vec<FileBody>,
}

/// A file of evidence. A simulated processor has no use for its bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileBody {
    pub name: String,
    /// `application/pdf` and the like.
    pub file_type: String,
    pub bytes: i64,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeAnswer {
    /// The processor's own name for it.
    pub reference: String,
    /// The reference of the authorization whose money is disputed.
    pub authorization: String,
    /// `pre_dispute`, `dispute`, `pre_arbitration`, `arbitration` or `dispute_reversal`.
    pub stage: String,
    /// `dispute_opened` and the like.
    pub status: String,
    pub amount: i64,
    pub currency: String,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub reason_code: Option<String>,
    /// RFC 3339.
    #[serde(default)]
    pub challenge_required_by: Option<String>,
    /// RFC 3339.
    #[serde(default)]
    pub opened_at: Option<String>,
    /// When it came to stand so. RFC 3339.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// Which disputes are asked for: those that were raised in this time.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeListBody {
    /// RFC 3339.
    pub from: String,
    /// RFC 3339.
    pub until: String,
    /// [`DisputeListAnswer::next`] of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeListAnswer {
    pub disputes: Vec<DisputeAnswer>,
    /// Set where there may be more.
    pub next: Option<String>,
}
