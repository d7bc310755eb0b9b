//! The program that asks for an attempt, as it names itself.

use serde::{Deserialize, Serialize};

use multirail_kernel::unread::UnreadMembers;

/// Name and version of a program, such as a library in a payer's app. Told by the program, believed by nobody.
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
    /// Whether the program says nothing of itself.
    pub fn is_unnamed(&self) -> bool {
        self.source.is_none() && self.version.is_none() && self.unread.is_empty()
    }
}
