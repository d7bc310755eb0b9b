//! The transition function of refunds: the only place that decides changes of an existing refund.

use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::Fact;

use crate::payments::payment::Payment;
use crate::payments::refund::{Metadata, Refund};

/// An input of a refund.
#[derive(Debug)]
pub enum Input {
    /// A request to the server.
    Command(Command),
    /// News of the operation; applied in any state.
    Fact(Fact),
}

/// A request of a caller or a worker.
#[derive(Debug)]
pub enum Command {
    /// Replaces reason or metadata; absent ones stay.
    Update {
        reason: Option<String>,
        metadata: Option<Metadata>,
    },
    /// Asks the processor for the result, or sends a scheduled refund.
    Sync,
}

/// Effects of a step. Calls are made after the step is stored; all others are stored with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Asks the processor to refund, under this key.
    Call(ProcessorKey),
    /// Asks the processor for the refund's result.
    LookUp(ProcessorKey),
    /// Records an event together with the change.
    Announce(Announcement),
    /// Deletes the credentials that came with the request.
    DeleteCredentials,
}

/// The refund and its payment after the input, and the effects.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub refund: Refund,
    pub effects: Vec<Effect>,
}

/// Decides about an input. The function is pure and never refuses: impossible refunds are refused at their creation
/// ([`Refund::create`]).
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
