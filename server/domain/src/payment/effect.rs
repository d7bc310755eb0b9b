//! What is to be done because of a step: by the edge, after the step is stored (calls) or together with it (the rest).

use crate::connector::OperationKind;
use crate::event::EventType;
use crate::ids::ProcessorKey;
use crate::payment::PaymentStatus;

/// One consequence of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask the processor to do something. The intention is stored before the call.
    Call(ProcessorCall),
    /// Ask the processor what became of an earlier call.
    LookUp(ProcessorCall),
    /// Record an event together with the change.
    Announce(Announcement),
    /// The card that waited for its confirm is not needed any more.
    ForgetCard,
    /// The credentials that were brought for this attempt are not needed any more.
    ForgetCredentials { attempt: u32 },
}

/// Which operation of which attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessorCall {
    pub kind: OperationKind,
    pub attempt: u32,
    pub key: ProcessorKey,
}

/// An event to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub event_type: EventType,
    /// What is announced, for those who want to know of some statuses only. As a rule the payment's; a superseded attempt
    /// is told of by its own.
    pub status: PaymentStatus,
    /// What it is about: the id of the payment for news that comes once; else of the attempt or capture, or
    /// `<attempt_id>_void`, `<attempt_id>_conflict` or `<capture_id>_pending`. Two announcements of one type about one thing are one event.
    pub about: String,
}
