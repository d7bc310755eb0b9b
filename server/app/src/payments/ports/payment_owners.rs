//! The hook of the objects that payments belong to.

use multirail_domain::payments::payment::{Owner, Payment};

use crate::platform::ports::change_set::Change;

/// A payment before and after a step.
#[derive(Clone, Copy, Debug)]
pub struct ChangedPayment<'a> {
    pub before: &'a Payment,
    pub after: &'a Payment,
    /// The owner hears of the payment's first outcome otherwise: it waits for the answer.
    pub knows_outcome: bool,
}

/// The owners of payments, as payments know them.
pub trait PaymentOwners: Send + Sync {
    /// Returns what the owner stores because its payment changed. It is stored in the payment's own commit.
    fn changes(&self, owner: &Owner, payment: ChangedPayment<'_>) -> Vec<Change>;
}
