//! The result of routing.

use super::trace::RoutingTrace;
use crate::accounts::connector_account::Candidate;

/// The result of routing a payment.
#[derive(Clone, Debug)]
pub struct Routed<'a> {
    /// The accounts that can accept the payment, in the order of their tries. [`RoutingStrategy::choose`] returns at least one.
    ///
    /// [`RoutingStrategy::choose`]: super::RoutingStrategy::choose
    pub eligible: Vec<&'a Candidate>,
    /// The record of how the accounts were chosen.
    pub trace: RoutingTrace,
}

impl<'a> Routed<'a> {
    /// Returns the account to try first.
    ///
    /// # Panics
    /// If no account is eligible. A chosen result always has one.
    pub fn first(&self) -> &'a Candidate {
        self.eligible[0]
    }
}
