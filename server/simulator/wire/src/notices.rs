//! Bodies of notices and of their endpoints.

use multirail_kernel::secret::{SecretText, sealed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::DisputeAnswer;

/// A notice: an answer that comes later than the answer to its request.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeBody {
    /// The id of the notice, which repetitions share.
    pub id: String,
    /// `authorize`, `increment`, `capture`, `void` or `refund`.
    pub operation: String,
    /// The answer's status.
    pub word: String,
    /// The key of the operation.
    pub key: String,
    /// RFC 3339.
    pub happened_at: String,
    /// The reference of the operation's authorization.
    #[serde(default)]
    pub authorization: Option<String>,
    /// The answer that a look-up would get.
    pub answer: Value,
}

/// The body that sets the account's notice endpoint.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeEndpointBody {
    /// An `http` address of this machine: the simulated processor calls no others.
    pub address: String,
    /// The signing secret.
    #[serde(with = "sealed")]
    pub secret: SecretText,
}

/// A notice about the state of a dispute.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeNoticeBody {
    /// The id of the notice, which repetitions share.
    pub id: String,
    /// RFC 3339.
    pub happened_at: String,
    pub dispute: DisputeAnswer,
}
