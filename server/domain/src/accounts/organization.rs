//! Organizations: owners of merchant accounts.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use multirail_kernel::ids::{MerchantId, OrganizationId};
use multirail_kernel::notes;
use multirail_kernel::random::Random;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

words! {
    /// The purpose of an organization.
    pub enum OrganizationType {
        /// Owns merchant accounts that act only for themselves.
        Standard = "standard",
        /// The first merchant account acts for the others.
        Platform = "platform",
    }
}

/// A caller's changes to an organization; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrganizationUpdate {
    /// 1 to 64 characters, without the blanks around it.
    pub organization_name: Option<String>,
    /// Has to equal the stored value.
    pub platform_merchant_id: Option<String>,
    pub notes: Map<String, Value>,
}

/// An owner of merchant accounts. A merchant account that names no organization gets a new one of the standard type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    pub organization_id: OrganizationId,
    pub organization_name: Option<String>,
    pub organization_type: OrganizationType,
    /// In a platform organization: the merchant account that acts for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_merchant_id: Option<MerchantId>,
    /// Values that the server only stores and returns (`organization_details`, `metadata`), by wire name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub notes: Map<String, Value>,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Organization {
    /// Creates the organization of a merchant account that acts only for itself.
    pub fn standard(name: Option<String>, now: Timestamp, random: &dyn Random) -> Self {
        Organization {
            organization_id: OrganizationId::generate(random),
            organization_name: name,
            organization_type: OrganizationType::Standard,
            platform_merchant_id: None,
            notes: Map::new(),
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// Creates an organization whose merchant account `merchant_id` acts for the others.
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
    /// Returns the organization with the update applied.
    ///
    /// # Errors
    /// A refusal for an empty name or one of more than 64 characters. [`Refusal::InvalidValue`] for another platform account:
    /// the keys and the payments under way belong to the present one.
    pub fn update(&self, input: OrganizationUpdate, now: Timestamp) -> Result<Self, Refusal> {
        let name = input.organization_name.as_deref().map(organization_name);
        let own = self.platform_merchant_id.as_ref();
        let asked = input.platform_merchant_id;
        if asked.is_some_and(|asked| own.is_none_or(|own| own.as_str() != asked.trim())) {
            return Err(Refusal::invalid_value(
                "platform_merchant_id is not the account that acts for the others, and it can't change",
            ));
        }
        Ok(Organization {
            organization_name: name.transpose()?.or(self.organization_name.clone()),
            notes: notes::updated(&self.notes, input.notes),
            modified_at: now,
            ..self.clone()
        })
    }
}

/// Reads an organization's name, without the blanks around it: 1 to 64 characters.
///
/// # Errors
/// [`Refusal::Unreadable`] for an empty name, [`Refusal::InvalidFormat`] for a longer one. (Specification 4.4)
pub fn organization_name(given: &str) -> Result<String, Refusal> {
    match (given.trim(), given.trim().chars().count()) {
        ("", _) => Err(Refusal::Unreadable {
            member: "organization_name".to_owned(),
        }),
        (name, 1..=64) => Ok(name.to_owned()),
        _ => Err(Refusal::invalid_format(
            "organization_name",
            "1 to 64 characters",
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use multirail_kernel::random::SeededRandom;

    fn notes(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn names_have_1_to_64_characters() {
        assert_eq!(organization_name(" Books ").as_deref(), Ok("Books"));
        let empty = organization_name("  ");
        assert!(matches!(empty, Err(Refusal::Unreadable { .. })));
        let long = "n".repeat(65);
        let refused = organization_name(&long);
        assert!(matches!(refused, Err(Refusal::InvalidFormat { .. })));
        assert_eq!(organization_name(&long[..64]), Ok("n".repeat(64)));
    }

    #[test]
    fn an_update_changes_what_it_names() {
        let hall = MerchantId::parse("hall").expect("an id");
        let random = SeededRandom::new(1);
        let made = Organization::platform("Hall".to_owned(), hall, Timestamp::EPOCH, &random);
        let later = Timestamp::from_micros(7);
        let said = OrganizationUpdate {
            organization_name: Some(" Old hall ".to_owned()),
            platform_merchant_id: Some("hall".to_owned()),
            notes: notes(json!({ "metadata": { "floor": 2 } })),
        };
        let updated = made.update(said, later).expect("an update");
        assert_eq!(updated.organization_name.as_deref(), Some("Old hall"));
        assert_eq!(updated.notes, notes(json!({ "metadata": { "floor": 2 } })));
        assert_eq!(updated.modified_at, later);
        let kept = updated.update(OrganizationUpdate::default(), later);
        assert_eq!(kept.as_ref(), Ok(&updated));
        let standard = Organization::standard(None, Timestamp::EPOCH, &random);
        for organization in [&made, &standard] {
            let another = OrganizationUpdate {
                platform_merchant_id: Some("stall".to_owned()),
                ..OrganizationUpdate::default()
            };
            let refused = organization.update(another, later);
            assert!(matches!(refused, Err(Refusal::InvalidValue { .. })));
        }
    }
}
