//! Reads the approval of a payment: amounts, the stored instrument, and what its charge says of a card.

use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{Approval, CardChecks, ConnectorMandate, Hold, Remarks};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::description::UNITS;
use super::generated::wire::{
    CardFacts, Charge, Checks, Overcapture, PaymentIntent, PaymentIntentCaptureMethod,
    PaymentIntentSetupFutureUsage,
};
use super::notes::{Note, notes};

/// Returns the approval of a payment, or `None` if its amount or charge can't be read.
pub fn read(intent: &PaymentIntent) -> Option<Approval> {
    // With manual capture, later captures reduce the received amount, so the requested amount
    // counts.
    let is_manual = intent.capture_method == PaymentIntentCaptureMethod::Manual;
    let amount = if is_manual {
        intent.amount
    } else {
        intent.amount_received
    };
    let charge: Option<Charge> = match &intent.latest_charge {
        Some(whole @ Value::Object(_)) => Some(Charge::deserialize(whole).ok()?),
        // An id.
        Some(_) | None => None,
    };
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
            intent.setup_future_usage == Some(PaymentIntentSetupFutureUsage::OffSession),
            intent.customer.as_deref(),
            intent.payment_method.as_deref(),
        ),
        ..Approval::default()
    };
    if let Some(charge) = charge {
        add_card(&mut approval, charge, intent);
    }
    Some(approval)
}

/// Adds what the charge says of a card.
fn add_card(approval: &mut Approval, charge: Charge, intent: &PaymentIntent) {
    let details = charge.payment_method_details;
    let Some(card) = details.and_then(|details| details.card) else {
        return;
    };
    // Payments that are captured at once reserve nothing.
    let is_held = intent.capture_method == PaymentIntentCaptureMethod::Manual;
    approval.hold = hold(&card, &intent.currency).filter(|_| is_held);
    approval.network_transaction_id = card.network_transaction_id;
    approval.checks = card.checks.as_ref().and_then(card_checks);
    approval.remarks = Remarks {
        auth_code: card.authorization_code,
        authentication: without_nulls(card.three_d_secure),
        more: without_nulls(charge.outcome),
        ..Remarks::default()
    }
    .unless_empty();
}

fn hold(card: &CardFacts, currency: &str) -> Option<Box<Hold>> {
    let end = card.capture_before;
    let extended = card.extended_authorization.as_ref();
    let incremental = card.incremental_authorization.as_ref();
    let hold = Hold {
        capture_before: end.and_then(|end| Timestamp::EPOCH.plus_seconds(end)),
        is_extended: extended.and_then(|told| is_granted(told.status.means())),
        may_be_raised: incremental.and_then(|told| is_granted(told.status.means())),
        most_capturable: card
            .overcapture
            .as_ref()
            .and_then(|told| most_capturable(told, currency)),
        ..Hold::default()
    };
    hold.unless_empty()
}

/// Returns the instrument that Stripe has stored for charges without the payer.
pub fn stored_instrument(
    is_stored: bool,
    customer: Option<&str>,
    method: Option<&str>,
) -> Option<Box<ConnectorMandate>> {
    let customer = customer.filter(|_| is_stored)?;
    Some(Box::new(ConnectorMandate {
        connector_mandate_id: method?.to_owned(),
        connector_customer_id: Some(customer.to_owned()),
        unread: UnreadMembers::default(),
    }))
}

/// Returns the members that aren't empty.
fn without_nulls(members: Option<Map<String, Value>>) -> Map<String, Value> {
    let members = members.into_iter().flatten();
    members.filter(|(_, value)| !value.is_null()).collect()
}

/// The result of a request for a card feature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Granted,
    Refused,
}

/// Returns `None` for a word of a later version.
fn is_granted(told: Option<Feature>) -> Option<bool> {
    Some(told? == Feature::Granted)
}

fn most_capturable(told: &Overcapture, currency: &str) -> Option<i64> {
    if told.status.means() != Some(Feature::Granted) {
        return None;
    }
    let (most, _) = UNITS.read(told.maximum_amount_capturable?, currency)?;
    Some(most)
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
