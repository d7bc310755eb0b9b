//! News of an object: what a step says that merchants are to be told.

use crate::dispute::DisputeStatus;
use crate::event::EventType;
use crate::mandate::MandateStatus;
use crate::payment::PaymentStatus;
use crate::refund::RefundStatus;

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

/// A status in the list of its own class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncedStatus {
    /// As a rule the payment's; a superseded attempt is announced with its own.
    Payment(PaymentStatus),
    Refund(RefundStatus),
    Dispute(DisputeStatus),
    Mandate(MandateStatus),
    /// An invoice is paid: no profile lists that.
    InvoicePaid,
}
