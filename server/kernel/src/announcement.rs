//! News of an object: what a step says that merchants are to be told.

use crate::event::EventType;
use crate::statuses::{DisputeStatus, PaymentStatus, RefundStatus};

/// An event to record, in the commit of the change that it announces. Its type names the class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub event_type: EventType,
    /// What the object has come to: profiles list the statuses that they want to be told of.
    pub status: AnnouncedStatus,
    /// The thing that is news: the object's id where the news comes once; else an id within the object. Of a payment that is
    /// an attempt or capture, or `<attempt_id>_void`, `<attempt_id>_conflict` or `<capture_id>_pending`. Two announcements of
    /// one type about one thing are one event. Of a dispute it is `<dispute_id>_<stage>`, of a subscription the invoice's id.
    pub about: String,
}

/// The status that decides whether a profile wants the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncedStatus {
    /// As a rule the payment's; a superseded attempt is announced with its own.
    Payment(PaymentStatus),
    Refund(RefundStatus),
    /// No list of a profile names events of this class, so every profile wants them.
    Unlisted,
}

impl PaymentStatus {
    /// The event that merchants are told of when a payment reaches this status, if any. (Specification 6)
    pub fn event(self) -> Option<EventType> {
        match self {
            PaymentStatus::Succeeded => Some(EventType::PaymentSucceeded),
            PaymentStatus::Failed => Some(EventType::PaymentFailed),
            PaymentStatus::Processing => Some(EventType::PaymentProcessing),
            PaymentStatus::Cancelled => Some(EventType::PaymentCancelled),
            PaymentStatus::CancelledPostCapture => Some(EventType::PaymentCancelledPostCapture),
            PaymentStatus::RequiresCapture => Some(EventType::PaymentAuthorized),
            PaymentStatus::PartiallyAuthorizedAndRequiresCapture => {
                Some(EventType::PaymentPartiallyAuthorized)
            }
            PaymentStatus::PartiallyCaptured
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => Some(EventType::PaymentCaptured),
            PaymentStatus::Expired => Some(EventType::PaymentExpired),
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Conflicted => Some(EventType::ActionRequired),
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => None,
        }
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

impl DisputeStatus {
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
