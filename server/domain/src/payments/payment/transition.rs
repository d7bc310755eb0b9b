//! The transition function of payments: the only place that decides their changes.

use std::sync::Arc;

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::notes::Metadata;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Fact;

use crate::payments::payment::complete::CompleteAuthorization;
use crate::payments::payment::confirm::Confirm;
use crate::payments::payment::{
    AtHand, AutoRetry, Changes, DoneByOthers, Effect, OfferedThrough, Payment, PaymentMethodData,
    RaiseAuthorization,
};

/// An input of a payment.
#[derive(Debug)]
pub enum Input {
    /// A request to the server; may be refused.
    Command(Command),
    /// News of an operation; applied in any state.
    Fact(Fact),
    /// News of a change made directly at the processor; applied in any state.
    DoneByOthers(Box<DoneByOthers>),
    /// The answer to a confirm's own call, while the payment method data is still at hand: a refused payment may be retried.
    Answer(Fact, Arc<AutoRetry>),
}

/// A request of a caller or a worker.
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
    /// Approves a payment in review.
    Approve {
        credentials: AtHand,
    },
    /// Rejects a payment in review.
    Reject {
        credentials: AtHand,
    },
    /// Voids the captured amount.
    CancelPostCapture {
        reason: Option<String>,
        credentials: AtHand,
    },
    /// Voids the uncaptured rest of a payment that its merchant can't cancel.
    VoidTheRest {
        reason: String,
    },
    /// Replaces the merchant's own notes.
    UpdateMetadata {
        metadata: Metadata,
    },
    /// Records the accounts that offer wallets in its checkout.
    NoteOffers {
        offers: Vec<OfferedThrough>,
    },
    /// Stores the query with which the payer came back from an attempt's page, until the processor has answered.
    NoteReturn {
        attempt: u32,
        query: String,
    },
    /// Asks the processor about all open operations and makes the requests that are due, or only for the operation with this
    /// key.
    Sync {
        about: Option<ProcessorKey>,
    },
    /// Deletes the data that waited for a confirm, if its time is over.
    Lapse,
    /// Deletes the card that waited for a confirm of a redacted customer.
    ForgetCard,
}

/// The payment after the input, and the effects.
#[derive(Debug)]
pub struct Step {
    pub payment: Payment,
    pub effects: Vec<Effect>,
    /// The payment method data of the command, for the call or to be held.
    pub data: Option<PaymentMethodData>,
}

/// Decides about an input. The function is pure: equal payment, input, time and keys give an equal step. So a step can be
/// dropped and decided again with newer stored data.
///
/// # Errors
/// A command that the payment's state or the request's members forbid. Facts are never refused.
pub fn transition(payment: &Payment, input: Input, context: &Context) -> Result<Step, Refusal> {
    let mut step = decide(payment, input, context)?;
    let followed = step.payment.follow_methods(payment, context);
    step.effects.extend(followed);
    let followed = step.payment.follow_mandates(payment, context);
    step.effects.extend(followed);
    let followed = step.payment.follow_excess(payment, context);
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
        Input::Answer(fact, retry) => Ok(payment.apply(fact, Some(&retry), context)),
    }
}
