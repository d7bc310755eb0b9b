//! Through which account something is asked of a processor.

use multirail_kernel::secret::SecretText;
use serde_json::{Map, Value};

use super::UnknownReason;

/// The merchant's account at a processor, as far as its connector has to know it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// A JSON object with `auth_type`.
    pub credentials: SecretText,
    /// Of processors that keep tests apart by another address: this account is there.
    pub test_mode: bool,
    /// What the merchant says about the account (`metadata`). A connector reads those members that its
    /// [`Description`](super::Description) names, and no others.
    pub metadata: Map<String, Value>,
}

/// What a processor says to the credentials of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountCheck {
    Accepted,
    /// It knows no such account, or the credentials open too little.
    Refused {
        message: String,
    },
    /// There was no answer that can be trusted.
    NotKnown(UnknownReason),
}
