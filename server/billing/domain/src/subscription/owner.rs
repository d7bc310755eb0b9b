//! A subscription as the owner of the payments for its invoices.

use multirail_domain::payments::payment::{Owner, OwnerKind};
use multirail_kernel::ids::OwnerId;

use super::Subscription;

impl Subscription {
    /// Returns the subscription as its payments name it.
    pub fn as_owner(&self) -> Owner {
        Owner {
            kind: OwnerKind::Subscription,
            id: OwnerId::from(&self.subscription_id),
        }
    }
}
