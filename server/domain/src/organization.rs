//! Organizations: owners of merchant accounts.

use serde::{Deserialize, Serialize};

use crate::ids::{MerchantId, OrganizationId};
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
    /// Of a platform: its merchant account that acts for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_merchant_id: Option<MerchantId>,
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
            platform_merchant_id: None,
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// An organization whose merchant account of this id acts for the others.
    pub fn platform(
        name: String,
        merchant_id: MerchantId,
        now: Timestamp,
        random: &dyn Random,
    ) -> Self {
        Organization {
            organization_type: OrganizationType::Platform,
            platform_merchant_id: Some(merchant_id),
            ..Organization::standard(Some(name), now, random)
        }
    }
}
