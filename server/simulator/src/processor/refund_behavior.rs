//! How the refunds of a card go. The card isn't filed, so its authorization keeps this.

use multirail_simulator_wire::errors::ErrorCode;
use serde::Serialize;

use super::Twist;

/// What becomes of refunds that nothing speaks against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundBehavior {
    Done,
    /// Pending, and done when they are asked about.
    PendingThenDone,
    /// Pending, and declined when they are asked about.
    PendingThenDeclined,
    Declined,
}

impl RefundBehavior {
    /// The same as what a script can demand of one refund.
    pub(super) fn twist(self) -> Option<Twist> {
        let error = || {
            let message = "Refund declined: The account of the card is closed";
            ErrorCode::Declined.saying(message)
        };
        match self {
            RefundBehavior::Done => None,
            RefundBehavior::PendingThenDone => Some(Twist::Pend),
            RefundBehavior::PendingThenDeclined => Some(Twist::PendThenDecline(error())),
            RefundBehavior::Declined => Some(Twist::Decline(error())),
        }
    }
}
