//! The owner of a payment: an object of another subject that has the payment made.

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
