//! Where a dispute stands within its stage. (Facts 3.12)

pub use crate::statuses::DisputeStatus;

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
}
