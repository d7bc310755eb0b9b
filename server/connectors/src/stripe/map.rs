//! Maps Stripe's answers to outcomes. An answer must be complete and about the requested key.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    Approval, CardChecks, ConnectorMandate, Finding, Hold, OperationKind, Outcome, PayerStep,
    Remarks, UnknownReason,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::description::UNITS;
use super::errors;
use super::shown;
use super::wire::{
    Cancelled, Checks, ErrorAnswer, ErrorBody, Feature, Found, IntentGlance, IntentStatus,
    Metadata, Note, OUR_KEY, Overcapture, Page, PaymentIntent, SetupIntent, noted, notes,
};
use crate::outcome::absent;
use crate::wire::WireAnswer;

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
        intent.status,
        &intent.id,
        || shown::step(&intent),
        intent.last_payment_error.as_ref(),
        intent.cancellation_reason.as_deref(),
        || approval(&intent),
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
            mandate: stored_instrument(
                intent.usage.as_deref(),
                intent.customer.as_deref(),
                intent.payment_method.as_deref(),
            ),
            ..Approval::default()
        })
    };
    intent_outcome(
        intent.status,
        &intent.id,
        || shown::page(intent.next_action.as_ref()?),
        intent.last_setup_error.as_ref(),
        intent.cancellation_reason.as_deref(),
        approval,
    )
}

fn intent_outcome(
    status: IntentStatus,
    id: &str,
    step: impl FnOnce() -> Option<PayerStep>,
    error: Option<&ErrorBody>,
    ended: Option<&str>,
    approval: impl FnOnce() -> Option<Approval>,
) -> Option<Outcome> {
    let reference = Some(id.to_owned());
    match status {
        IntentStatus::Succeeded | IntentStatus::RequiresCapture => approval().map(Outcome::Done),
        IntentStatus::RequiresAction => {
            let step = step()?;
            Some(Outcome::CustomerMustAct { reference, step })
        }
        IntentStatus::Processing => Some(Outcome::Pending { reference }),
        // The intent waits for another instrument, which it never gets.
        IntentStatus::RequiresPaymentMethod => {
            error.map(|error| Outcome::Declined(errors::decline(error)))
        }
        IntentStatus::Canceled => Some(Outcome::Declined(errors::ended(ended))),
        IntentStatus::RequiresConfirmation | IntentStatus::New => None,
    }
}

fn approval(intent: &PaymentIntent) -> Option<Approval> {
    // With manual capture, later captures reduce the received amount, so the requested amount
    // counts.
    let amount = if intent.capture_method == "manual" {
        intent.amount
    } else {
        intent.amount_received
    };
    let charge = intent
        .latest_charge
        .as_ref()
        .and_then(|charge| charge.whole());
    let details = charge.and_then(|charge| charge.payment_method_details.as_ref());
    let card = details.and_then(|details| details.card.as_ref());
    let (amount_minor, currency) = UNITS.read(amount, &intent.currency)?;
    // After increments the amount is no longer the one that was first approved, which Stripe
    // doesn't report any more.
    let mut raises = notes(&intent.metadata);
    let is_raised = raises.any(|(_, note)| matches!(note, Note::RaisedTo(_)));
    let mut approval = Approval {
        reference: Some(intent.id.clone()),
        amount_minor: (!is_raised).then_some(amount_minor),
        currency: Some(currency),
        mandate: stored_instrument(
            intent.setup_future_usage.as_deref(),
            intent.customer.as_deref(),
            intent.payment_method.as_deref(),
        ),
        ..Approval::default()
    };
    if let Some(card) = card {
        approval
            .network_transaction_id
            .clone_from(&card.network_transaction_id);
        approval.checks = card.checks.as_ref().and_then(card_checks);
        let outcome = charge.and_then(|charge| charge.outcome.as_ref());
        approval.remarks = Remarks {
            auth_code: card.authorization_code.clone(),
            authentication: without_nulls(card.three_d_secure.as_ref()),
            more: without_nulls(outcome),
            ..Remarks::default()
        }
        .unless_empty();
        let end = card.capture_before;
        let hold = Hold {
            capture_before: end.and_then(|end| Timestamp::EPOCH.plus_seconds(end)),
            is_extended: is_granted(card.extended_authorization.as_ref()),
            may_be_raised: is_granted(card.incremental_authorization.as_ref()),
            most_capturable: card
                .overcapture
                .as_ref()
                .and_then(|granted| most_capturable(granted, &intent.currency)),
            ..Hold::default()
        };
        // Payments that are captured at once reserve nothing.
        approval.hold = hold
            .unless_empty()
            .filter(|_| intent.capture_method == "manual");
    }
    Some(approval)
}

/// Returns the instrument that Stripe has stored for charges without the payer.
fn stored_instrument(
    usage: Option<&str>,
    customer: Option<&str>,
    method: Option<&str>,
) -> Option<Box<ConnectorMandate>> {
    let customer = customer.filter(|_| usage == Some("off_session"))?;
    Some(Box::new(ConnectorMandate {
        connector_mandate_id: method?.to_owned(),
        connector_customer_id: Some(customer.to_owned()),
        unread: UnreadMembers::default(),
    }))
}

/// Returns the members that aren't empty.
fn without_nulls(members: Option<&Map<String, Value>>) -> Map<String, Value> {
    let members = members.into_iter().flatten();
    let said = members.filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn most_capturable(told: &Overcapture, currency: &str) -> Option<i64> {
    if is_granted(Some(&told.feature)) != Some(true) {
        return None;
    }
    let (most, _) = UNITS.read(told.maximum_amount_capturable?, currency)?;
    Some(most)
}

/// Returns `None` for a word of a later version.
fn is_granted(feature: Option<&Feature>) -> Option<bool> {
    match feature?.status.as_str() {
        "enabled" | "available" => Some(true),
        "disabled" | "unavailable" => Some(false),
        _ => None,
    }
}

/// Translates Stripe's words to the scheme's letters.
fn card_checks(found: &Checks) -> Option<CardChecks> {
    let street = found.address_line1_check.as_deref();
    let postal_code = found.address_postal_code_check.as_deref();
    let address = match (street, postal_code) {
        (None, None) => None,
        (Some("pass"), Some("pass")) => Some("Y"),
        (Some("pass"), _) => Some("A"),
        (_, Some("pass")) => Some("Z"),
        (Some("fail"), _) | (_, Some("fail")) => Some("N"),
        (Some(_), _) | (None, Some(_)) => Some("U"),
    };
    let card_code = match found.cvc_check.as_deref() {
        Some("pass") => Some("M"),
        Some("fail") => Some("N"),
        Some("unchecked") => Some("P"),
        Some(_) => Some("U"),
        None => None,
    };
    CardChecks::new(address.map(str::to_owned), card_code.map(str::to_owned))
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
    match intent.status {
        IntentStatus::Processing => Some(Outcome::Pending { reference }),
        // The rest of a partly captured payment can be cancelled.
        IntentStatus::Succeeded | IntentStatus::RequiresCapture | IntentStatus::Canceled
            if amount_minor > 0 =>
        {
            Some(Outcome::Done(Approval {
                reference,
                amount_minor: Some(amount_minor),
                currency: Some(currency),
                leaves_nothing: intent.status != IntentStatus::RequiresCapture
                    || intent.amount_capturable == Some(0),
                ..Approval::default()
            }))
        }
        IntentStatus::Succeeded
        | IntentStatus::RequiresCapture
        | IntentStatus::Canceled
        | IntentStatus::RequiresPaymentMethod
        | IntentStatus::RequiresConfirmation
        | IntentStatus::RequiresAction
        | IntentStatus::New => None,
    }
}

/// Returns a capture that somebody else requested: our own are noted in the payment's metadata.
pub fn captured_by_others(intent: &PaymentIntent) -> Option<Outcome> {
    let is_noted = notes(&intent.metadata).any(|(_, note)| matches!(note, Note::Captured(_)));
    if is_noted || intent.capture_method != "manual" || intent.amount_received <= 0 {
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
pub fn cancelled(intent: Cancelled) -> Option<Outcome> {
    (intent.status == IntentStatus::Canceled).then(|| void_done(Some(intent.id)))
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
    let intent = error.payment_intent.or(error.setup_intent);
    Some(match intent.map(|IntentGlance { status }| status) {
        Some(IntentStatus::Canceled) => NotCancelled::CancelledBefore,
        Some(IntentStatus::Succeeded) => NotCancelled::Succeeded,
        Some(
            IntentStatus::RequiresPaymentMethod
            | IntentStatus::RequiresConfirmation
            | IntentStatus::RequiresAction
            | IntentStatus::Processing
            | IntentStatus::RequiresCapture
            | IntentStatus::New,
        )
        | None => NotCancelled::Otherwise,
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
    has(metadata, OUR_KEY, key.as_str())
}

/// Checks whether the metadata contain this entry.
pub fn has(metadata: &Metadata, name: &str, key: &str) -> bool {
    metadata.get(name).is_some_and(|own| own == key)
}
