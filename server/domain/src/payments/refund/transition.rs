//! The one function that decides what may happen to a refund that was made.

use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::Fact;

use crate::payments::payment::Payment;
use crate::payments::refund::{Metadata, Refund};

/// Something that reaches a refund.
#[derive(Debug)]
pub enum Input {
    /// Asked of us.
    Command(Command),
    /// Told to us; is applied whatever the state.
    Fact(Fact),
}

/// What a caller or a worker asks.
#[derive(Debug)]
pub enum Command {
    /// Note another reason or other metadata; what is absent stays.
    Update {
        reason: Option<String>,
        metadata: Option<Metadata>,
    },
    /// Ask the processor what became of it, or for what was scheduled.
    Sync,
}

/// What is to be done because of a step: by the edge, after the step is stored (calls) or together with it (the rest).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask the processor to give the money back, under this key.
    Call(ProcessorKey),
    /// Ask the processor what became of that.
    LookUp(ProcessorKey),
    /// Record an event together with the change.
    Announce(Announcement),
    /// The credentials that were brought for it are not needed any more.
    DeleteCredentials,
}

/// The refund and its payment after the input, and what is to be done because of it.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub refund: Refund,
    pub effects: Vec<Effect>,
}

/// Decides. Pure, and never refused: what can't be is refused where the refund is made ([`Refund::create`]).
pub fn transition(payment: &Payment, refund: &Refund, input: Input, context: &Context) -> Step {
    match input {
        Input::Command(Command::Update { reason, metadata }) => {
            refund.update(payment, reason, metadata, context)
        }
        Input::Command(Command::Sync) => refund.sync(payment, context),
        Input::Fact(fact) => refund.apply(payment, fact, context),
    }
}

impl Refund {
    fn update(
        &self,
        payment: &Payment,
        reason: Option<String>,
        metadata: Option<Metadata>,
        context: &Context,
    ) -> Step {
        let mut refund = self.clone();
        refund.reason = reason.or(refund.reason);
        refund.metadata = metadata.or(refund.metadata);
        if refund != *self {
            refund.modified_at = context.now;
        }
        Step {
            payment: payment.clone(),
            refund,
            effects: Vec::new(),
        }
    }
}
