//! The attempts of a payment, and their operations at a processor.

use multirail_domain::payments::payment::{Attempt, Capture, CaptureMethod, Increment, Payment};
use multirail_sdk::card::Network;
use multirail_types as types;
use serde_json::{Map, Value};

use super::super::trouble::Trouble;
use crate::platform::convert::note;
use crate::platform::convert::words::ToWire;
use crate::routing::convert as routing;

pub(crate) fn attempt_answer(
    payment: &Payment,
    attempt: &Attempt,
    notes: &Map<String, Value>,
    shows_routing: bool,
) -> types::PaymentAttempt {
    let terms = &payment.terms;
    let trouble = Trouble::of_attempt(attempt);
    let instrument = attempt.instrument.as_ref();
    let is_last = attempt.number == payment.active().number;
    types::PaymentAttempt {
        attempt_id: payment.attempt_id(attempt.number).to_string(),
        status: attempt.status.to_wire(),
        amount: attempt.amount,
        order_tax_amount: terms.order_tax_amount,
        currency: Some(terms.currency.to_wire()),
        created_at: attempt.created_at.to_datetime(),
        modified_at: attempt.modified_at.to_datetime(),
        connector: attempt.connector.clone(),
        connector_transaction_id: attempt.connector_transaction_id().map(str::to_owned),
        reference_id: attempt.connector_transaction_id().map(str::to_owned),
        connector_metadata: None,
        capture_method: Some(terms.capture_method.to_wire()),
        authentication_type: Some(payment.authentication_type(attempt).to_wire()),
        payment_method: instrument.map(|i| i.payment_method.to_wire()),
        payment_method_type: instrument
            .and_then(|i| i.payment_method_type)
            .map(|kind| kind.to_wire()),
        payment_experience: note(notes, "payment_experience"),
        payment_token: attempt.token().map(ToString::to_string),
        mandate_id: attempt.mandate().map(ToString::to_string),
        cancellation_reason: payment.cancellation_reason.clone().filter(|_| is_last),
        error_code: trouble.map(Trouble::code),
        error_message: trouble.map(Trouble::message),
        unified_code: trouble.and_then(Trouble::unified_code),
        unified_message: trouble.and_then(Trouble::unified_message),
        error_details: trouble.map(|trouble| trouble.details(scheme_of(attempt))),
        routing: shows_routing.then(|| why_there(attempt)).flatten(),
        card_code_missing: attempt.card_code_missing.then_some(true),
        client_source: attempt.program.source.clone(),
        client_version: attempt.program.version.clone(),
        creds_identifier: attempt
            .brought
            .as_ref()
            .map(|brought| brought.identifier.clone()),
    }
}

/// Returns why routing chose the attempt's account, if that is stored and this version knows the words.
fn why_there(attempt: &Attempt) -> Option<types::PaymentRouting> {
    match attempt.routing.as_ref()?.read() {
        Ok(trace) => Some(routing::trace(&trace, attempt.three_ds.as_deref())),
        Err(error) => {
            tracing::error!(%error, "the stored routing of an attempt can't be read and isn't shown");
            None
        }
    }
}

/// Returns the captures of a payment with several partial captures. A single capture has no record.
pub(crate) fn captures(payment: &Payment, attempt: &Attempt) -> Option<Vec<types::PaymentCapture>> {
    let several = payment.terms.capture_method == CaptureMethod::ManualMultiple;
    (several && !attempt.captures.is_empty()).then(|| {
        let captures = attempt.captures.iter();
        captures
            .map(|capture| capture_answer(payment, attempt, capture))
            .collect()
    })
}

pub(crate) fn increments(attempt: &Attempt) -> Option<Vec<types::IncrementalAuthorization>> {
    let increments = attempt.increments.iter();
    let answers = (1..).zip(increments).map(increment_answer);
    (!attempt.increments.is_empty()).then(|| answers.collect())
}

fn increment_answer((number, increment): (u32, &Increment)) -> types::IncrementalAuthorization {
    let trouble = Trouble::of_operation(&increment.operation);
    types::IncrementalAuthorization {
        authorization_id: format!("{}_{number}", increment.increment_id),
        amount: increment.operation.amount,
        status: increment.status().to_wire(),
        previously_authorized_amount: increment.previously_authorized,
        error_code: trouble.map(Trouble::code),
        error_message: trouble.map(Trouble::message),
    }
}

fn capture_answer(
    payment: &Payment,
    attempt: &Attempt,
    capture: &Capture,
) -> types::PaymentCapture {
    let trouble = Trouble::of_operation(&capture.operation);
    types::PaymentCapture {
        capture_id: payment
            .capture_id(attempt.number, capture.sequence)
            .to_string(),
        status: capture.status().to_wire(),
        amount: capture.operation.amount,
        currency: Some(payment.terms.currency.to_wire()),
        connector: attempt.connector.clone().unwrap_or_default(),
        authorized_attempt_id: payment.attempt_id(attempt.number).to_string(),
        capture_sequence: capture.sequence as i32,
        connector_capture_id: capture.operation.reference.clone(),
        reference_id: capture.operation.reference.clone(),
        error_code: trouble.map(Trouble::code),
        error_message: trouble.map(Trouble::message),
        error_reason: trouble.and_then(Trouble::reason),
    }
}

/// Returns the scheme of the attempt's card.
pub(crate) fn scheme_of(attempt: &Attempt) -> Option<Network> {
    attempt.instrument.as_ref()?.details.card()?.network
}
