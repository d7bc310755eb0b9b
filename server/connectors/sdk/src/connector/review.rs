//! The review of an approved payment that the processor holds.

use serde::{Deserialize, Serialize};

use multirail_kernel::unread::UnreadMembers;

/// The result of a fraud screening of an approved and held authorization. Nothing is captured
/// before the merchant decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The service that screened the payment, by the processor's name.
    pub screened_by: String,
    /// The service's id of the screening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The risk, on the service's own scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The service's code for the reason of the hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// The reason in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}
