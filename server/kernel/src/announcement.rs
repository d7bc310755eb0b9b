//! Announcements: events that a step of an object sends to merchants.

use crate::event::EventType;
use crate::statuses::{DisputeStatus, PaymentStatus, RefundStatus};

/// An event to record in the commit of the change that it announces. Its type determines its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub event_type: EventType,
    /// The object's new status. Profiles list the statuses that they want webhooks for.
    pub status: AnnouncedStatus,
    /// The subject of the event. Two announcements of one type with the same subject are one event.
    ///
    /// - For an event that occurs once, the object's id.
    /// - For a payment, the attempt or capture, or `<attempt_id>_part`, `<attempt_id>_void`, `<attempt_id>_conflict` or
    ///   `<capture_id>_pending`.
    /// - For a dispute, `<dispute_id>_<stage>`.
    /// - For a subscription, the invoice's id.
    pub about: String,
}

/// The status that decides whether a profile wants the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncedStatus {
    /// Usually the payment's status. A superseded attempt is announced with its own.
    Payment(PaymentStatus),
    Refund(RefundStatus),
    /// Profiles have no list for events of this class, so every profile gets them.
    Unlisted,
}

impl PaymentStatus {
    /// Returns the event that announces this status of a payment, if any. (Specification 6)
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
    /// Returns the event that announces this status of a refund, if any. (Specification 6)
    pub fn event(self) -> Option<EventType> {
        match self {
            RefundStatus::Succeeded => Some(EventType::RefundSucceeded),
            RefundStatus::Failed => Some(EventType::RefundFailed),
            RefundStatus::Pending | RefundStatus::Review => None,
        }
    }
}

impl DisputeStatus {
    /// Returns the event that announces this status of a dispute. (Specification 6)
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
