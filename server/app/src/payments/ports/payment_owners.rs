//! The hook of the objects that own payments.

use multirail_domain::payments::payment::{Owner, Payment};

use crate::platform::ports::change_set::Change;

/// A payment before and after a step.
#[derive(Clone, Copy, Debug)]
pub struct ChangedPayment<'a> {
    pub before: &'a Payment,
    pub after: &'a Payment,
    /// True if the owner learns the payment's first outcome otherwise: it waits for the answer.
    pub knows_outcome: bool,
}

/// The owners of payments, as payments see them.
pub trait PaymentOwners: Send + Sync {
    /// Returns the changes that the owner stores because its payment changed. The payment's own commit stores them.
    fn changes(&self, owner: &Owner, payment: ChangedPayment<'_>) -> Vec<Change>;
}
