//! Why a processor holds what it approved.

use serde::{Deserialize, Serialize};

use multirail_kernel::unread::UnreadMembers;

/// What a processor's screening for fraud found about an authorization that it approved and holds: nothing is taken of it
/// before the merchant has decided.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Who screened it, as the processor names the service.
    pub screened_by: String,
    /// The screening's id there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The risk, on a scale of the service's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Why it is held, as a code of the service's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}
