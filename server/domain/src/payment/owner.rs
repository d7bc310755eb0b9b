//! The owner of a payment: an object of another subject that has the payment made.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::OwnerId;
use crate::words::words;

words! {
    /// The kinds of objects that own payments.
    pub enum OwnerKind {
        Subscription = "subscription",
    }
}

/// The object that a payment belongs to. Payments store its name, and know nothing else of it: the owner alone confirms and changes
/// the payment, and stores what follows for itself in the payment's own commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub kind: OwnerKind,
    pub id: OwnerId,
}

/// Writes an owner into the record of its payment, where each kind has a member of its own.
pub(super) mod subscription_id {
    use super::{Deserialize, Deserializer, Owner, OwnerId, OwnerKind, Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        owner: &Option<Owner>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let id = owner.as_ref().map(|owner| match owner.kind {
            OwnerKind::Subscription => &owner.id,
        });
        id.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Owner>, D::Error> {
        let id = Option::<OwnerId>::deserialize(deserializer)?;
        Ok(id.map(|id| Owner {
            kind: OwnerKind::Subscription,
            id,
        }))
    }
}
