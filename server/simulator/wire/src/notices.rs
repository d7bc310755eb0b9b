//! What the processor tells unasked.

use multirail_kernel::secret::{SecretText, sealed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::DisputeAnswer;

/// What the processor tells unasked: an answer that came later than its request's.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeBody {
    /// The same whenever it is sent again.
    pub id: String,
    /// `authorize`, `increment`, `capture`, `void` or `refund`.
    pub operation: String,
    /// The answer's status.
    pub word: String,
    /// The key of the operation.
    pub key: String,
    /// RFC 3339.
    pub happened_at: String,
    /// The reference of the authorization that it belongs to.
    #[serde(default)]
    pub authorization: Option<String>,
    /// What a look-up would be answered.
    pub answer: Value,
}

/// Where the account's notices go from now on.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeEndpointBody {
    /// An `http` address of this machine: a simulated processor calls nobody else.
    pub address: String,
    /// What they are signed with.
    #[serde(with = "sealed")]
    pub secret: SecretText,
}

/// How a dispute stands, told unasked.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeNoticeBody {
    /// The same whenever it is sent again.
    pub id: String,
    /// RFC 3339.
    pub happened_at: String,
    pub dispute: DisputeAnswer,
}
