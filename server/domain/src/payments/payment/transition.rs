//! The one function that decides what may happen to a payment.

use std::sync::Arc;

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::notes::Metadata;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Fact;

use crate::payments::payment::complete::CompleteAuthorization;
use crate::payments::payment::confirm::Confirm;
use crate::payments::payment::{
    AtHand, Changes, DoneByOthers, Effect, OfferedThrough, Onward, Payment, PaymentMethodData,
    RaiseAuthorization,
};

/// Something that reaches a payment.
#[derive(Debug)]
pub enum Input {
    /// Asked of us; may be refused.
    Command(Command),
    /// Told to us; is applied whatever the state.
    Fact(Fact),
    /// Told of something that nobody has asked for here; is applied whatever the state.
    DoneByOthers(Box<DoneByOthers>),
    /// Told in answer to a confirm's own call, while what pays is still at hand: a payment that was refused may go on.
    Answer(Fact, Arc<Onward>),
}

/// What a caller or a worker asks.
#[derive(Debug)]
pub enum Command {
    Update(Box<Changes>),
    Confirm(Box<Confirm>),
    CompleteAuthorization(Box<CompleteAuthorization>),
    Capture {
        amount_to_capture: Option<i64>,
        credentials: AtHand,
    },
    RaiseAuthorization(Box<RaiseAuthorization>),
    Cancel {
        reason: Option<String>,
        credentials: AtHand,
    },
    /// Let a payment go on that its processor holds.
    Approve {
        credentials: AtHand,
    },
    /// Give up a payment that its processor holds.
    Reject {
        credentials: AtHand,
    },
    /// Void what was captured.
    CancelPostCapture {
        reason: Option<String>,
        credentials: AtHand,
    },
    /// Void what captures have left of a payment that its merchant can't cancel.
    VoidTheRest {
        reason: String,
    },
    /// Put the merchant's own notes in the place of those that are there.
    UpdateMetadata {
        metadata: Metadata,
    },
    /// Note through which accounts its checkout is offered wallets.
    NoteOffers {
        offers: Vec<OfferedThrough>,
    },
    /// Keep what the payer came back with from an attempt's page, until the processor has said what became of it.
    NoteReturn {
        attempt: u32,
        query: String,
    },
    /// Ask the processor about everything that is open, and for what is due; or only about the operation of this key.
    Sync {
        about: Option<ProcessorKey>,
    },
    /// Give up what waited for a confirm, if its time is over.
    Lapse,
    /// Give up the card that waited for a confirm of a customer who is forgotten.
    ForgetCard,
}

/// The payment after the input, and what is to be done because of it.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub effects: Vec<Effect>,
    /// What came with the command to pay with, for the call or to be held.
    pub data: Option<PaymentMethodData>,
}

/// Decides. Pure: the same payment, input, time and keys give the same step, so that a step can be thrown away and
/// decided again on what is stored meanwhile.
///
/// # Errors
/// A command that the payment's state or the request's members forbid. A fact is never refused.
pub fn transition(payment: &Payment, input: Input, context: &Context) -> Result<Step, Refusal> {
    let mut step = decide(payment, input, context)?;
    let followed = step.payment.follow_methods(payment);
    step.effects.extend(followed);
    let followed = step.payment.follow_mandates(payment, context);
    step.effects.extend(followed);
    Ok(step)
}

fn decide(payment: &Payment, input: Input, context: &Context) -> Result<Step, Refusal> {
    match input {
        Input::Command(Command::Update(changes)) => payment.update(*changes, context),
        Input::Command(Command::Confirm(confirm)) => payment.confirm(*confirm, context),
        Input::Command(Command::CompleteAuthorization(given)) => {
            payment.complete_authorization(*given, context)
        }
        Input::Command(Command::Capture {
            amount_to_capture,
            credentials,
        }) => payment.capture(amount_to_capture, credentials, context),
        Input::Command(Command::RaiseAuthorization(raise)) => {
            payment.raise_authorization(*raise, context)
        }
        Input::Command(Command::Cancel {
            reason,
            credentials,
        }) => payment.cancel(reason, credentials, context),
        Input::Command(Command::Approve { credentials }) => payment.approve(credentials, context),
        Input::Command(Command::Reject { credentials }) => payment.reject(credentials, context),
        Input::Command(Command::CancelPostCapture {
            reason,
            credentials,
        }) => payment.cancel_post_capture(reason, credentials, context),
        Input::Command(Command::VoidTheRest { reason }) => payment.void_the_rest(reason, context),
        Input::Command(Command::UpdateMetadata { metadata }) => {
            payment.replace_metadata(metadata, context)
        }
        Input::Command(Command::NoteOffers { offers }) => payment.note_offers(offers),
        Input::Command(Command::NoteReturn { attempt, query }) => {
            Ok(payment.note_return(attempt, query, context))
        }
        Input::Command(Command::Sync { about }) => Ok(payment.sync(about.as_ref(), context)),
        Input::Command(Command::Lapse) => Ok(payment.lapse(context)),
        Input::Command(Command::ForgetCard) => Ok(payment.forget_card(context)),
        Input::DoneByOthers(done) => Ok(payment.record_done_by_others(*done, context)),
        Input::Fact(fact) => Ok(payment.apply(fact, None, context)),
        Input::Answer(fact, onward) => Ok(payment.apply(fact, Some(&onward), context)),
    }
}
