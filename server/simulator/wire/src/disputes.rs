//! Bodies of dispute requests and answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The body of a challenge.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ChallengeBody {
    /// Texts by name.
    pub texts: BTreeMap<String, String>,
    pub files: Vec<FileBody>,
}

/// A file of evidence. The simulated processor doesn't need its bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileBody {
    pub name: String,
    /// A media type such as `application/pdf`.
    pub file_type: String,
    pub bytes: i64,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeAnswer {
    /// The processor's reference.
    pub reference: String,
    /// The reference of the disputed authorization.
    pub authorization: String,
    /// `pre_dispute`, `dispute`, `pre_arbitration`, `arbitration` or `dispute_reversal`.
    pub stage: String,
    /// A word such as `dispute_opened`.
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
    /// The time of the current state. RFC 3339.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// The body of a list request: disputes that were raised in this time.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeListBody {
    /// RFC 3339.
    pub from: String,
    /// RFC 3339.
    pub until: String,
    /// [`DisputeListAnswer::next`] of the previous answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// One page of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeListAnswer {
    pub disputes: Vec<DisputeAnswer>,
    /// Set if there may be more.
    pub next: Option<String>,
}
