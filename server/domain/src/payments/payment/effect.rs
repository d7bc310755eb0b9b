//! What is to be done because of a step: by the edge, after the step is stored (calls) or together with it (the rest).

use multirail_kernel::announcement::Announcement;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::mandate::MandateEffect;
use crate::payments::payment::saved::MethodEffect;

/// One consequence of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the processor to do something. The intention is stored before the call.
    Call(ProcessorCall),
    /// Ask the processor what became of an earlier call.
    LookUp(ProcessorCall),
    /// Record an event together with the change.
    Announce(Announcement),
    /// The card that waited for its confirm is not needed any more.
    DeleteCard,
    /// The credentials that were brought for this attempt are not needed any more.
    DeleteCredentials { attempt: u32 },
    /// A saved method, or what stands for it, changes together with the payment.
    Method(MethodEffect),
    /// A mandate changes together with the payment.
    Mandate(MandateEffect),
}

/// Which operation of which attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessorCall {
    pub kind: OperationKind,
    pub attempt: u32,
    pub key: ProcessorKey,
}
