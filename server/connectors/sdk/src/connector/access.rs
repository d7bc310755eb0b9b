//! The account through which a processor is called.

use multirail_kernel::secret::SecretText;
use serde_json::{Map, Value};

use super::UnknownReason;

/// A merchant's account at a processor, with the settings that its connector needs.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// A JSON object with `auth_type`.
    pub credentials: SecretText,
    /// True for a test account, at processors that have a separate address for tests.
    pub test_mode: bool,
    /// The account's `metadata`. A connector reads only the members that its
    /// [`Description`](super::Description) names.
    pub metadata: Map<String, Value>,
}

/// A processor's verdict on the credentials of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountCheck {
    Accepted,
    /// The processor knows no such account, or the credentials lack permissions.
    Refused {
        message: String,
    },
    /// No answer that can be trusted.
    NotKnown(UnknownReason),
}
