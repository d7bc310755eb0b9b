//! The changes that the owner of a payment adds to the payment's commits.

use multirail_domain::payments::payment::Payment;

use crate::payments::ports::PaymentOwners;
use crate::payments::ports::payment_owners::ChangedPayment;
use crate::platform::ports::Change;

/// Returns what the owner of a payment stores because the payment changed; nothing where nobody owns it. `knows_outcome`: the owner
/// hears of the payment's first outcome otherwise.
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
