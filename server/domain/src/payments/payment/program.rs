//! The client program that requests an attempt, as it identifies itself.

use serde::{Deserialize, Serialize};

use multirail_kernel::unread::UnreadMembers;

/// Name and version of a program, such as a library in a payer's app. The server doesn't verify them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// `X-Client-Source`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `X-Client-Version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Program {
    /// Returns whether the program didn't identify itself.
    pub fn is_unnamed(&self) -> bool {
        self.source.is_none() && self.version.is_none() && self.unread.is_empty()
    }
}
