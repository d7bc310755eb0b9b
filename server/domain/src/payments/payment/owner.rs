//! The owner of a payment in the payment's record.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use multirail_kernel::ids::OwnerId;

pub use multirail_kernel::owner::{Owner, OwnerKind};

/// Writes an owner into the record of its payment, with one member for each kind.
pub(crate) mod subscription_id {
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
