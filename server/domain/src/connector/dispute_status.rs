//! Where a dispute stands within its stage. (Facts 3.12)

use crate::event::EventType;
use crate::words::words;

words! {
    /// Status of a dispute, as merchants see it.
    pub enum DisputeStatus {
        /// The merchant may accept or challenge it.
        Opened = "dispute_opened",
        /// Nobody answered in time.
        Expired = "dispute_expired",
        /// The merchant gave in.
        Accepted = "dispute_accepted",
        /// The payer or the issuer took it back.
        Cancelled = "dispute_cancelled",
        /// The merchant's evidence is being judged.
        Challenged = "dispute_challenged",
        Won = "dispute_won",
        Lost = "dispute_lost",
    }
}

impl DisputeStatus {
    /// Whether a dispute of this status can come to that one within the same stage. A further stage begins with any.
    pub fn may_become(self, next: DisputeStatus) -> bool {
        match self {
            DisputeStatus::Opened => true,
            DisputeStatus::Challenged => next != DisputeStatus::Opened,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => next == self,
        }
    }

    /// Nothing moves a dispute out of these within its stage.
    pub fn is_final(self) -> bool {
        match self {
            DisputeStatus::Opened | DisputeStatus::Challenged => false,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => true,
        }
    }

    /// The event that merchants are told of when a dispute reaches this status. (Specification 6)
    pub fn event(self) -> EventType {
        match self {
            DisputeStatus::Opened => EventType::DisputeOpened,
            DisputeStatus::Expired => EventType::DisputeExpired,
            DisputeStatus::Accepted => EventType::DisputeAccepted,
            DisputeStatus::Cancelled => EventType::DisputeCancelled,
            DisputeStatus::Challenged => EventType::DisputeChallenged,
            DisputeStatus::Won => EventType::DisputeWon,
            DisputeStatus::Lost => EventType::DisputeLost,
        }
    }
}
