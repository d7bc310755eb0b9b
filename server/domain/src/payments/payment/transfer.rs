//! A transfer that arrives in parts. (Facts 1.2)

use multirail_sdk::connector::ShownStep;

use crate::payments::payment::{Attempt, AttemptStatus, Payment, PaymentStatus};

impl Payment {
    /// Returns whether the payer still has to act. A transfer is processed from its first part on, and its payer still
    /// transfers the rest.
    pub fn awaits_payer(&self) -> bool {
        let has_part = self.active().missing_of_transfer().is_some();
        self.status == PaymentStatus::RequiresCustomerAction
            || (self.status == PaymentStatus::Processing && has_part)
    }
}

impl Attempt {
    /// Returns the rest of a transfer of which a part has arrived, in minor units.
    pub fn missing_of_transfer(&self) -> Option<i64> {
        let shown = self.shown_step.as_deref()?;
        let rest = shown.amount_remaining?;
        (shown.amount_received? > 0).then_some(rest)
    }

    /// Returns the status while the payer's step is open.
    pub(crate) fn status_at_step(&self) -> AttemptStatus {
        match self.missing_of_transfer() {
            Some(_) => AttemptStatus::Pending,
            None => AttemptStatus::AuthenticationPending,
        }
    }
}

/// Returns whether a step tells less of a transfer than the known one. An answer that was late may do so.
pub(crate) fn is_outdated(told: &ShownStep, known: &ShownStep) -> bool {
    told.amount_received < known.amount_received
}
