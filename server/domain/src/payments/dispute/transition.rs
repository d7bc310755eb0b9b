//! The transition function of disputes: the only place that decides changes of an existing dispute.

use std::collections::BTreeMap;

use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{FileId, ProcessorKey};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{DisputeNews, Fact};

use crate::payments::dispute::{Dispute, EvidenceFile, EvidenceItem};
use crate::payments::payment::Payment;

/// An input of a dispute.
#[derive(Debug)]
pub enum Input {
    /// A request to the server; may be refused.
    Command(Command),
    /// The result of a request to the processor; applied in any state.
    Fact(Fact),
    /// The dispute's state at the processor. It is never refused, and changes nothing if it is older than the known one.
    News(Box<DisputeNews>),
}

/// A request of a caller or a worker.
#[derive(Debug)]
pub enum Command {
    /// Accepts the dispute.
    Accept,
    /// Submits these texts and the evidence added before. For a file, the text is its id.
    Challenge {
        given: BTreeMap<EvidenceItem, String>,
    },
    /// Stores a file, to be submitted later.
    Attach { file: EvidenceFile },
    /// Removes an item of evidence.
    Remove { item: EvidenceItem },
    /// Deletes the evidence.
    Forget,
    /// Asks the processor for the result of its open request.
    Sync,
}

/// Effects of a step. Calls are made after the step is stored; all others are stored with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Asks the processor for the action with this key.
    Call(ProcessorKey),
    /// Asks the processor for that action's result.
    LookUp(ProcessorKey),
    /// Records an event together with the change.
    Announce(Announcement),
    /// Deletes the bytes of a file together with the change.
    DeleteFile(FileId),
}

/// The dispute and its payment after the input, and the effects.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub dispute: Dispute,
    pub effects: Vec<Effect>,
}

/// Decides about an input. The function is pure: equal dispute, input, time and keys give an equal step.
///
/// # Errors
/// A command that the dispute's state forbids. News from a processor is never refused.
pub fn transition(
    payment: &Payment,
    dispute: &Dispute,
    input: Input,
    context: &Context,
) -> Result<Step, Refusal> {
    match input {
        Input::Command(Command::Accept) => dispute.accept(payment, context),
        Input::Command(Command::Challenge { given }) => dispute.challenge(payment, given, context),
        Input::Command(Command::Attach { file }) => dispute.attach(payment, file, context),
        Input::Command(Command::Remove { item }) => dispute.remove(payment, item, context),
        Input::Command(Command::Forget) => Ok(dispute.forget(payment)),
        Input::Command(Command::Sync) => Ok(dispute.sync(payment, context)),
        Input::Fact(fact) => Ok(dispute.apply(payment, &fact, context)),
        Input::News(news) => Ok(dispute.hear(payment, &news, context)),
    }
}
