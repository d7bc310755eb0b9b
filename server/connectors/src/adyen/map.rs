//! Maps Adyen's answers to outcomes.

use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    Approval, ConnectorMandate, DeclineCategory, Finding, Outcome, Remarks, UnknownReason,
};
use serde_json::{Map, Value};

use super::description::UNITS;
use super::generated::wire::{
    AmountAnswer, CheckoutAction, PaymentDetailsResponse, PaymentReceived, PaymentResponse,
    ReceivedStatus, ResultCode,
};
use super::{actions, errors};
use crate::client::Answer;
use crate::outcome::{of_look_up, of_operation};
use crate::wire::WireAnswer;

/// Results of 3-D Secure, by Adyen's names.
const AUTHENTICATION: [&str; 5] = [
    "eci",
    "liabilityShift",
    "threeDAuthenticated",
    "threeDOffered",
    "threeDSVersion",
];

/// Returns the outcome of a request. Adyen's error body takes precedence over the status, even over
/// 5xx.
pub fn of_request(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> Outcome {
    let failure = answer.as_ref().ok().and_then(errors::of_failure);
    failure.unwrap_or_else(|| {
        of_operation(answer, |answer| match answer.status {
            200..=299 => read(answer),
            _ => errors::of_request(answer),
        })
    })
}

/// Returns the outcome of the payment that was requested under `key`.
pub fn payment(key: &str, answer: Answer) -> Outcome {
    of_request(answer, |answer| {
        let PaymentResponse {
            payment_details_response: state,
            action,
        } = answer.json()?;
        let is_ours = |reference: &String| reference == key;
        let is_ours = state.merchant_reference.as_ref().is_none_or(is_ours);
        is_ours.then(|| standing(&state, action.as_ref())).flatten()
    })
}

/// Returns the outcome of the payment `key` after the payer's return. Payers may bring the result
/// of another payment. The answer must therefore name this payment: by our reference, or by Adyen's
/// if it has no other.
pub fn details(key: &str, psp_reference: Option<&str>, answer: Answer) -> Finding {
    of_look_up(answer, |answer| {
        // Only a 2xx answer says anything about the payment.
        let answer: PaymentDetailsResponse = answer.json().filter(|_| answer.status < 300)?;
        let is_ours = match (&answer.merchant_reference, &answer.psp_reference) {
            (Some(reference), _) => reference == key,
            (None, Some(own)) => psp_reference == Some(own),
            (None, None) => false,
        };
        let standing = is_ours.then(|| standing(&answer, None)).flatten();
        standing.map(Finding::Outcome)
    })
}

/// Checks whether a stored card is deleted. A refused request means that the card doesn't exist.
///
/// # Errors
/// The reason why the result is unknown.
pub fn deleted(answer: Answer) -> Result<(), UnknownReason> {
    match of_request(answer, |_| Some(Outcome::Done(Approval::default()))) {
        Outcome::Done(_) => Ok(()),
        Outcome::Declined(decline)
            if decline.category != Some(DeclineCategory::InvalidCredentials) =>
        {
            Ok(())
        }
        Outcome::Unknown(reason) => Err(reason),
        Outcome::Declined(_)
        | Outcome::NeverHappened { .. }
        | Outcome::Pending { .. }
        | Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. } => Err(UnknownReason::ProcessorError),
    }
}

/// Returns the finding without a request: Adyen reports outcomes only for new data of the payer,
/// and by notices.
pub fn nothing_to_ask() -> Finding {
    Finding::Outcome(Outcome::Unknown(UnknownReason::ConnectionLost))
}

/// Returns the outcome of a capture, cancel, reversal or refund. The answer only acknowledges the
/// request.
pub fn modification(key: &str, payment: Option<&str>, answer: Answer) -> Outcome {
    of_request(answer, |answer| {
        let PaymentReceived {
            received,
            payment_psp_reference,
        } = answer.json()?;
        let payments = payment.zip(payment_psp_reference.as_deref());
        let is_of_payment = payments.is_none_or(|(asked, answered)| asked == answered);
        let is_ours = received.status == ReceivedStatus::Received
            && received.reference.is_none_or(|own| own == key)
            && is_of_payment;
        is_ours.then_some(Outcome::Pending {
            reference: Some(received.psp_reference),
        })
    })
}

/// The meaning of a payment's state.
#[derive(Clone, Copy)]
pub enum Stands {
    Approved,
    ApprovedInPart,
    Refused,
    /// The payer acts next.
    AsksPayer,
    /// Something is wanted that our page can't offer.
    NotOffered,
    /// The outcome comes later. The payer may have to act first.
    Waits,
}

/// Returns the outcome of a payment's state, or `None` if the answer lacks a required member.
fn standing(state: &PaymentDetailsResponse, action: Option<&CheckoutAction>) -> Option<Outcome> {
    let reference = state.psp_reference.clone();
    let word = state.result_code.as_deref()?;
    match (ResultCode::read(word).means()?, action) {
        (Stands::Approved, _) => approval(state, state.amount.as_ref()),
        (Stands::ApprovedInPart, _) => approval(state, Some(&part(state)?)),
        (Stands::Refused, _) => Some(Outcome::Declined(errors::refusal(state))),
        (Stands::NotOffered, _) => Some(actions::not_offered(word)),
        (Stands::Waits, Some(action)) if actions::is_of_debit(action) => {
            Some(Outcome::Pending { reference })
        }
        (Stands::AsksPayer | Stands::Waits, Some(action)) => actions::outcome(action, reference),
        (Stands::AsksPayer, None) => None,
        (Stands::Waits, None) => Some(Outcome::Pending { reference }),
    }
}

/// Returns the approved amount.
fn part(state: &PaymentDetailsResponse) -> Option<AmountAnswer> {
    let told = || {
        Some(AmountAnswer {
            value: additional(state, "authorisedAmountValue")?.parse().ok()?,
            currency: additional(state, "authorisedAmountCurrency")?.to_owned(),
        })
    };
    let whole = || {
        let AmountAnswer { value, currency } = state.amount.as_ref()?;
        let currency = currency.clone();
        Some(AmountAnswer {
            value: *value,
            currency,
        })
    };
    told().or_else(whole)
}

/// Returns a text of the additional data.
pub fn additional<'a>(state: &'a PaymentDetailsResponse, name: &str) -> Option<&'a str> {
    state.additional_data.as_ref()?.get(name)?.as_str()
}

fn approval(state: &PaymentDetailsResponse, amount: Option<&AmountAnswer>) -> Option<Outcome> {
    // Captures, voids and refunds need the reference.
    let reference = state.psp_reference.clone()?;
    let more = state.additional_data.as_ref();
    let approval = Approval {
        reference: Some(reference),
        network_transaction_id: additional(state, "networkTxReference").map(str::to_owned),
        mandate: more.and_then(mandate),
        checks: errors::checks(state),
        remarks: more.and_then(remarks),
        ..Approval::default()
    };
    Some(Outcome::Done(match amount {
        Some(amount) => of_amount(approval, amount)?,
        None => approval,
    }))
}

/// Returns the instrument that Adyen has stored on request. It isn't read from notices, whose
/// additional data is unsigned.
pub fn mandate(additional: &Map<String, Value>) -> Option<Box<ConnectorMandate>> {
    let text = |name: &str| {
        let text = additional.get(name)?.as_str()?;
        (1..=256).contains(&text.len()).then(|| text.to_owned())
    };
    let id = text("recurring.recurringDetailReference")
        .or_else(|| text("tokenization.storedPaymentMethodId"))?;
    let shopper =
        text("recurring.shopperReference").or_else(|| text("tokenization.shopperReference"));
    Some(Box::new(ConnectorMandate {
        connector_mandate_id: id,
        connector_customer_id: Some(shopper?),
        unread: UnreadMembers::default(),
    }))
}

/// Returns the other details of an approval, for accounts that receive them. They decide nothing;
/// in notices they are unsigned.
pub fn remarks(additional: &Map<String, Value>) -> Option<Box<Remarks>> {
    let of_authentication = additional
        .iter()
        .filter(|(name, value)| AUTHENTICATION.contains(&name.as_str()) && is_short(value));
    let auth_code = additional.get("authCode").filter(|code| is_short(code));
    Remarks {
        auth_code: auth_code.and_then(Value::as_str).map(str::to_owned),
        authentication: of_authentication
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        ..Remarks::default()
    }
    .unless_empty()
}

/// Checks whether a text is not empty and not longer than such a word can be.
fn is_short(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| (1..=64).contains(&text.len()))
}

/// Adds the actual amount. Returns `None` if it is no whole number of our units.
pub fn of_amount(approval: Approval, amount: &AmountAnswer) -> Option<Approval> {
    // An unexpected currency is passed on; the caller judges it.
    let amount_minor = match amount.currency.parse::<Currency>() {
        Ok(currency) => Some(UNITS.from_processor(amount.value, currency)?),
        Err(_) => None,
    };
    Some(Approval {
        amount_minor,
        currency: Some(amount.currency.clone()),
        ..approval
    })
}
