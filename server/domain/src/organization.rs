//! Organizations: owners of merchant accounts.

use serde::{Deserialize, Serialize};

use crate::ids::OrganizationId;
use crate::random::Random;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;
use crate::words::words;

words! {
    /// What an organization is for.
    pub enum OrganizationType {
        /// Owns merchant accounts that stand for themselves.
        Standard = "standard",
        /// Its first merchant account acts for the others.
        Platform = "platform",
    }
}

/// An owner of merchant accounts. One of the standard type is made along with a merchant account that names none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    pub organization_id: OrganizationId,
    pub organization_name: Option<String>,
    pub organization_type: OrganizationType,
    /// Counts the stored changes; 0 until stored. Kept beside the record, not in it.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Organization {
    /// The organization of a merchant account that stands for itself.
    pub fn standard(name: Option<String>, now: Timestamp, random: &dyn Random) -> Self {
        Organization {
            organization_id: OrganizationId::generate(random),
            organization_name: name,
            organization_type: OrganizationType::Standard,
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }
}
