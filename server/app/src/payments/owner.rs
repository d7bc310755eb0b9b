//! The changes that a payment's owner adds to the payment's commits.

use multirail_domain::payments::payment::Payment;

use crate::payments::ports::PaymentOwners;
use crate::payments::ports::payment_owners::ChangedPayment;
use crate::platform::ports::Change;

/// Returns the changes that the owner of a payment stores with the payment's change; none without an owner. With
/// `knows_outcome` the owner learns the payment's first outcome otherwise.
pub(crate) fn changes_of_owner(
    owners: &dyn PaymentOwners,
    before: &Payment,
    after: &Payment,
    knows_outcome: bool,
) -> Vec<Change> {
    let Some(owner) = &after.owner else {
        return Vec::new();
    };
    let changed = ChangedPayment {
        before,
        after,
        knows_outcome,
    };
    owners.changes(owner, changed)
}
