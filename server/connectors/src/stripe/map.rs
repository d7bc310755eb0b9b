//! Maps Stripe's answers to outcomes. An answer must be complete and about the requested key.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{
    Approval, Finding, OperationKind, Outcome, PayerStep, UnknownReason,
};
use serde::de::DeserializeOwned;

use super::description::UNITS;
use super::generated::wire::{
    Error, ErrorAnswer, PaymentIntent, PaymentIntentCaptureMethod, SetupIntent,
};
use super::notes::{Metadata, Note, OUR_KEY, has_entry, noted, notes};
use super::pages::{Found, Page};
use super::{approval, errors, shown};
use crate::outcome::{absent, web_page};
use crate::wire::WireAnswer;

/// The state of a payment or check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The instrument was refused.
    Refused,
    PayerActs,
    Pending,
    /// The money is reserved, and not all is captured.
    Reserved,
    /// Somebody cancelled it, or Stripe did.
    Ended,
    Succeeded,
}

/// Returns the outcome of a request that creates or changes an object; `read` reads the object.
pub fn operation<T: DeserializeOwned>(
    kind: OperationKind,
    answer: &WireAnswer,
    read: impl FnOnce(T) -> Option<Outcome>,
) -> Option<Outcome> {
    if answer.status < 400 {
        return read(answer.json()?);
    }
    if errors::is_to_be_repeated(answer) {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    let ErrorAnswer { error } = answer.json()?;
    errors::outcome(kind, &error)
}

/// Returns the first result of a search.
pub fn searched(page: Page<Found>) -> Option<String> {
    page.data.into_iter().next().map(|found| found.id)
}

/// Returns the outcome of a refused request of any kind.
pub fn refusal(answer: &WireAnswer) -> Option<Outcome> {
    let ErrorAnswer { error } = answer.json()?;
    Some(Outcome::Declined(errors::decline(&error)))
}

/// Returns the outcome of an authorization from its payment.
pub fn payment(key: &ProcessorKey, intent: PaymentIntent) -> Option<Outcome> {
    if !is_about(key, &intent.metadata) {
        return None;
    }
    intent_outcome(
        intent.status.means()?,
        &intent.id,
        || shown::step(&intent),
        intent.last_payment_error.as_ref(),
        intent.cancellation_reason.as_deref(),
        || approval::read(&intent),
    )
}

/// Returns the outcome of a zero-amount authorization from its card check.
pub fn check(key: &ProcessorKey, intent: SetupIntent) -> Option<Outcome> {
    if !is_about(key, &intent.metadata) {
        return None;
    }
    let approval = || {
        Some(Approval {
            reference: Some(intent.id.clone()),
            amount_minor: Some(0),
            mandate: approval::stored_instrument(
                intent.usage.as_deref() == Some("off_session"),
                intent.customer.as_deref(),
                intent.payment_method.as_deref(),
            ),
            ..Approval::default()
        })
    };
    intent_outcome(
        intent.status.means()?,
        &intent.id,
        || check_page(&intent),
        intent.last_setup_error.as_ref(),
        intent.cancellation_reason.as_deref(),
        approval,
    )
}

/// Returns the page where the payer authenticates.
fn check_page(check: &SetupIntent) -> Option<PayerStep> {
    let redirect = check.next_action.as_ref()?.redirect_to_url.as_ref()?;
    web_page(redirect.url.clone()).map(PayerStep::page)
}

fn intent_outcome(
    state: State,
    id: &str,
    step: impl FnOnce() -> Option<PayerStep>,
    error: Option<&Error>,
    ended: Option<&str>,
    approval: impl FnOnce() -> Option<Approval>,
) -> Option<Outcome> {
    let reference = Some(id.to_owned());
    match state {
        State::Succeeded | State::Reserved => approval().map(Outcome::Done),
        State::PayerActs => {
            let step = step()?;
            Some(Outcome::CustomerMustAct { reference, step })
        }
        State::Pending => Some(Outcome::Pending { reference }),
        State::Refused => error.map(|error| Outcome::Declined(errors::decline(error))),
        State::Ended => Some(Outcome::Declined(errors::ended(ended))),
    }
}

/// Returns the outcome of a capture from its payment. The capture has taken place if the payment's
/// metadata contains its key. Its amount is the received amount minus the payment's other captures.
pub fn capture(key: &ProcessorKey, intent: &PaymentIntent) -> Option<Outcome> {
    let captures = notes(&intent.metadata).filter_map(|(name, note)| match note {
        Note::Captured(amount) => Some((name, amount)),
        Note::RaisedTo(_) => None,
    });
    let (own, others): (Vec<_>, Vec<_>) = captures.partition(|(name, _)| *name == key.as_str());
    own.first()?;
    let own = others
        .into_iter()
        .try_fold(intent.amount_received, |rest, (_, amount)| {
            rest.checked_sub(amount)
        })?;
    let (amount_minor, currency) = UNITS.read(own, &intent.currency)?;
    let reference = Some(intent.id.clone());
    let state = intent.status.means()?;
    match state {
        State::Pending => Some(Outcome::Pending { reference }),
        // The rest of a partly captured payment can be cancelled.
        State::Succeeded | State::Reserved | State::Ended if amount_minor > 0 => {
            Some(Outcome::Done(Approval {
                reference,
                amount_minor: Some(amount_minor),
                currency: Some(currency),
                leaves_nothing: state != State::Reserved || intent.amount_capturable == Some(0),
                ..Approval::default()
            }))
        }
        State::Succeeded | State::Reserved | State::Ended | State::Refused | State::PayerActs => {
            None
        }
    }
}

/// Returns a capture that somebody else requested: our own are noted in the payment's metadata.
pub fn captured_by_others(intent: &PaymentIntent) -> Option<Outcome> {
    let is_noted = notes(&intent.metadata).any(|(_, note)| matches!(note, Note::Captured(_)));
    let is_manual = intent.capture_method == PaymentIntentCaptureMethod::Manual;
    if is_noted || !is_manual || intent.amount_received <= 0 {
        return None;
    }
    let (amount_minor, currency) = UNITS.read(intent.amount_received, &intent.currency)?;
    Some(Outcome::Done(Approval {
        reference: Some(intent.id.clone()),
        amount_minor: Some(amount_minor),
        currency: Some(currency),
        ..Approval::default()
    }))
}

/// Returns the result of a look-up of a capture.
pub fn capture_in(key: &ProcessorKey, intent: &PaymentIntent) -> Option<Finding> {
    if intent.metadata.contains_key(key.as_str()) {
        return capture(key, intent).map(Finding::Outcome);
    }
    Some(absent(format!(
        "the metadata of {} doesn't have this capture",
        intent.id
    )))
}

/// Returns the outcome of an increment from its payment. The increment has taken place if the
/// payment's metadata contains its key and the payment has the new amount. Stripe doesn't store the
/// key of a refused increment.
pub fn raise(key: &ProcessorKey, intent: &PaymentIntent) -> Option<Outcome> {
    let Note::RaisedTo(total) = noted(&intent.metadata, key.as_str())? else {
        return None;
    };
    let (amount_minor, currency) = UNITS.read(total, &intent.currency)?;
    (intent.amount >= total).then(|| {
        Outcome::Done(Approval {
            reference: Some(intent.id.clone()),
            amount_minor: Some(amount_minor),
            currency: Some(currency),
            ..Approval::default()
        })
    })
}

/// Returns the result of a look-up of an increment.
pub fn raise_in(key: &ProcessorKey, intent: &PaymentIntent) -> Option<Finding> {
    if intent.metadata.contains_key(key.as_str()) {
        return raise(key, intent).map(Finding::Outcome);
    }
    Some(absent(format!(
        "the metadata of {} doesn't have this raise",
        intent.id
    )))
}

/// Returns the outcome of a cancellation from its payment.
pub fn cancelled(intent: PaymentIntent) -> Option<Outcome> {
    (intent.status.means() == Some(State::Ended)).then(|| void_done(Some(intent.id)))
}

/// Returns the outcome of a cancellation from its check.
pub fn cancelled_check(check: SetupIntent) -> Option<Outcome> {
    (check.status.means() == Some(State::Ended)).then(|| void_done(Some(check.id)))
}

/// The reason why a payment can't be cancelled. Some of them mean that nothing is left to void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCancelled {
    /// We or Stripe cancelled it before.
    CancelledBefore,
    /// The payment was captured, or the check succeeded.
    Succeeded,
    Otherwise,
}

/// Reads the state of the intent from a refused cancellation.
pub fn not_cancelled(answer: &WireAnswer) -> Option<NotCancelled> {
    if !(400..=404).contains(&answer.status) || matches!(answer.status, 401 | 403) {
        return None;
    }
    let ErrorAnswer { error } = answer.json()?;
    let of_payment = error.payment_intent.map(|payment| payment.status.means());
    let of_check = error.setup_intent.map(|check| check.status.means());
    Some(match of_payment.or(of_check).flatten() {
        Some(State::Ended) => NotCancelled::CancelledBefore,
        Some(State::Succeeded) => NotCancelled::Succeeded,
        Some(State::Refused | State::PayerActs | State::Pending | State::Reserved) | None => {
            NotCancelled::Otherwise
        }
    })
}

/// Returns the outcome of a void that released nothing.
pub fn void_done(reference: Option<String>) -> Outcome {
    Outcome::Done(Approval {
        reference,
        ..Approval::default()
    })
}

fn is_about(key: &ProcessorKey, metadata: &Metadata) -> bool {
    has_entry(metadata, OUR_KEY, key.as_str())
}
