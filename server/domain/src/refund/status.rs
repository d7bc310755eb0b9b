//! Where a refund stands. (Facts 3.10)

use crate::event::EventType;
use crate::words::words;

words! {
    /// Status of a refund, as merchants see it.
    pub enum RefundStatus {
        /// The processor hasn't decided, or nobody knows: its amount stays taken from what can be refunded.
        Pending = "pending",
        Succeeded = "succeeded",
        Failed = "failed",
        /// The processor's words can't be reconciled with what was asked: somebody has to look.
        Review = "review",
    }
}

words! {
    /// When the processor is asked.
    pub enum RefundType {
        /// In the request, which answers with what the processor says.
        Instant = "instant",
        /// Soon after the request, by a worker.
        Scheduled = "scheduled",
    }
}

impl RefundStatus {
    /// The event that merchants are told of when a refund reaches this status, if any. (Specification 6)
    pub fn event(self) -> Option<EventType> {
        match self {
            RefundStatus::Succeeded => Some(EventType::RefundSucceeded),
            RefundStatus::Failed => Some(EventType::RefundFailed),
            RefundStatus::Pending | RefundStatus::Review => None,
        }
    }
}
