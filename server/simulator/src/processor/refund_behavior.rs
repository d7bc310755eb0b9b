//! The behavior of a card's refunds. The card itself isn't stored, so its authorization has this
//! member.

use multirail_simulator_wire::errors::ErrorCode;
use serde::Serialize;

use super::Twist;

/// The result of refunds without an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundBehavior {
    Done,
    /// Pending, and completed by a look-up.
    PendingThenDone,
    /// Pending, and declined by a look-up.
    PendingThenDeclined,
    Declined,
}

impl RefundBehavior {
    /// Returns the behavior in the form of a script's decision.
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
