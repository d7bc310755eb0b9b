//! Effects of a step. Calls are made after the step is stored; all others are stored with it.

use multirail_kernel::announcement::Announcement;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::excess::Excess;
use crate::payments::payment::mandate::MandateEffect;
use crate::payments::payment::saved::MethodEffect;

/// One effect of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Sends a request to the processor. The intention is stored before the call.
    Call(ProcessorCall),
    /// Asks the processor for the result of an earlier call.
    LookUp(ProcessorCall),
    /// Records an event together with the change.
    Announce(Announcement),
    /// Deletes the card that waited for a confirm.
    DeleteCard,
    /// Deletes the credentials that came with a request for this attempt.
    DeleteCredentials { attempt: u32 },
    /// Changes a saved payment method, or its reference at a processor, together with the payment.
    Method(MethodEffect),
    /// Changes a mandate together with the payment.
    Mandate(MandateEffect),
    /// Creates the refund of what a transfer brought above its amount, together with the payment.
    ReturnExcess(Excess),
}

/// A call, by its operation and attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessorCall {
    pub kind: OperationKind,
    pub attempt: u32,
    pub key: ProcessorKey,
}
