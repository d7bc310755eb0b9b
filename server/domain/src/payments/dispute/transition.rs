//! The one function that decides what may happen to a dispute that was heard of.

use std::collections::BTreeMap;

use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{FileId, ProcessorKey};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{DisputeNews, Fact};

use crate::payments::dispute::{Dispute, EvidenceFile, EvidenceItem};
use crate::payments::payment::Payment;

/// Something that reaches a dispute.
#[derive(Debug)]
pub enum Input {
    /// Asked of us; may be refused.
    Command(Command),
    /// What became of something that was asked of the processor; is applied whatever the state.
    Fact(Fact),
    /// How the processor says it stands; is never refused, and changes nothing where it is from before what is known.
    News(Box<DisputeNews>),
}

/// What a caller or a worker asks.
#[derive(Debug)]
pub enum Command {
    /// Give in.
    Accept,
    /// Hand in these texts, and all that was brought before. Of a file the text is its id.
    Challenge {
        given: BTreeMap<EvidenceItem, String>,
    },
    /// Keep a file, to be handed in later.
    Attach { file: EvidenceFile },
    /// Take back an item of evidence.
    Remove { item: EvidenceItem },
    /// Keep the evidence no longer.
    Forget,
    /// Ask the processor what became of what it was asked for.
    Sync,
}

/// What is to be done because of a step: by the edge, after the step is stored (calls) or together with it (the rest).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask the processor for the action of this key.
    Call(ProcessorKey),
    /// Ask the processor what became of it.
    LookUp(ProcessorKey),
    /// Record an event together with the change.
    Announce(Announcement),
    /// Delete the bytes of a file together with the change.
    DeleteFile(FileId),
}

/// The dispute and its payment after the input, and what is to be done because of it.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub dispute: Dispute,
    pub effects: Vec<Effect>,
}

/// Decides. Pure: the same dispute, input, time and keys give the same step.
///
/// # Errors
/// A command that the dispute's state forbids. What a processor says is never refused.
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
