//! Mappings of processors' error codes. A mapping decides whether another processor is worth a try at once, whether the payer
//! should authenticate, and which unified error the merchant sees. Every connector has built-in mappings ([`built_in`]);
//! operators can override them.

mod advise;
mod built_in;
mod rows;

use serde::{Deserialize, Serialize};

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::DeclineCategory;
use multirail_sdk::connector::advice::{Decision, ErrorCategory};

pub use advise::advise;
pub use built_in::built_in;
pub use rows::ErrorMappings;

/// The flow whose refusals are mapped: an authorization with all of its steps.
pub const FLOW: &str = "Authorize";
/// The sub-flow of a flow that has no parts.
pub const SUB_FLOW: &str = "sub_flow";

/// The key of a mapping. An empty `message` matches any. A stored key with unknown members is refused, because without them it
/// could match too much.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappingKey {
    pub connector: String,
    pub flow: String,
    pub sub_flow: String,
    /// The processor's code, up to 128 characters.
    pub code: String,
    /// The processor's message, up to 255 characters.
    pub message: String,
}

impl MappingKey {
    /// Builds the key for an authorization that this connector's processor refused.
    pub fn for_authorization(connector: &str, code: &str, message: &str) -> Self {
        MappingKey {
            connector: connector.to_owned(),
            flow: FLOW.to_owned(),
            sub_flow: SUB_FLOW.to_owned(),
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// A mapping, stored or built in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorMapping {
    pub key: MappingKey,
    pub said: Said,
    /// True if it hides a built-in mapping that the operator deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_deleted: bool,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The content of a mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The operator's own word for the result. The server doesn't read it.
    pub status: String,
    pub decision: Decision,
    /// True if the payment is retried first with 3-D Secure, through the same account.
    pub step_up_possible: bool,
    /// The operator's own word for the error. The server doesn't read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router_error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_category: Option<ErrorCategory>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unified_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unified_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standardised_code: Option<DeclineCategory>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_guidance_message: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's update; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappingUpdate {
    pub status: Option<String>,
    pub decision: Option<Decision>,
    pub step_up_possible: Option<bool>,
    pub router_error: Option<String>,
    pub error_category: Option<ErrorCategory>,
    pub unified_code: Option<String>,
    pub unified_message: Option<String>,
    pub standardised_code: Option<DeclineCategory>,
    pub description: Option<String>,
    pub user_guidance_message: Option<String>,
}

impl ErrorMapping {
    /// Creates a mapping. If it replaces a deleted built-in one, the caller continues that one's change count.
    pub fn create(key: MappingKey, said: Said, now: Timestamp) -> Self {
        ErrorMapping {
            key,
            said,
            is_deleted: false,
            created_at: now,
            modified_at: now,
            version: 0,
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the mapping with the update applied.
    pub fn updated(mut self, update: MappingUpdate, now: Timestamp) -> Self {
        let said = &mut self.said;
        said.status = update.status.unwrap_or(std::mem::take(&mut said.status));
        said.decision = update.decision.unwrap_or(said.decision);
        said.step_up_possible = update.step_up_possible.unwrap_or(said.step_up_possible);
        said.router_error = update.router_error.or(said.router_error.take());
        said.error_category = update.error_category.or(said.error_category);
        said.unified_code = update.unified_code.or(said.unified_code.take());
        said.unified_message = update.unified_message.or(said.unified_message.take());
        said.standardised_code = update.standardised_code.or(said.standardised_code);
        said.description = update.description.or(said.description.take());
        let guidance = said.user_guidance_message.take();
        said.user_guidance_message = update.user_guidance_message.or(guidance);
        self.modified_at = now;
        self
    }

    /// Builds the refusal of a second mapping with the same key.
    pub fn duplicate(key: &MappingKey) -> Refusal {
        Refusal::Duplicate {
            message: format!(
                "there is an error mapping of connector {}, code {} and this message already: update it",
                key.connector, key.code
            ),
        }
    }
}

#[cfg(test)]
mod tests;
