//! The owner of a payment: an object of another subject that has the payment made.

use crate::ids::OwnerId;
use crate::words::words;

words! {
    /// The kinds of objects that own payments.
    pub enum OwnerKind {
        Subscription = "subscription",
    }
}

/// The object that a payment belongs to. Payments store its name and know nothing else about it. Only the owner
/// confirms and changes the payment, and it stores its own changes in the payment's commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub kind: OwnerKind,
    pub id: OwnerId,
}
