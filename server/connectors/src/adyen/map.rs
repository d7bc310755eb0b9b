//! Adyen's answers as outcomes.

use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    Approval, ConnectorMandate, DeclineCategory, Finding, Outcome, Remarks, UnknownReason,
};
use serde_json::{Map, Value};

use super::description::UNITS;
use super::errors;
use super::wire::{Action, Amount, ModificationAnswer, PaymentAnswer, ResultCode};
use crate::client::Answer;
use crate::outcome::{of_look_up, of_operation, web_page};
use crate::wire::WireAnswer;

/// What Adyen tells of 3-D Secure, by its names.
const AUTHENTICATION: [&str; 5] = [
    "eci",
    "liabilityShift",
    "threeDAuthenticated",
    "threeDOffered",
    "threeDSVersion",
];

/// Returns the outcome of a request, by Adyen's own words also where the status is 5xx.
pub fn of_request(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> Outcome {
    let failure = answer.as_ref().ok().and_then(errors::of_failure);
    failure.unwrap_or_else(|| {
        of_operation(answer, |answer| match answer.status {
            200..=299 => read(answer),
            _ => errors::of_request(answer),
        })
    })
}

/// The outcome of the payment that was asked for under `key`.
pub fn payment(key: &str, answer: Answer) -> Outcome {
    of_request(answer, |answer| {
        let answer: PaymentAnswer = answer.json()?;
        let is_ours = |reference: &String| reference == key;
        if answer.merchant_reference.as_ref().is_none_or(is_ours) {
            standing(&answer)
        } else {
            None
        }
    })
}

/// The outcome of the payment `key` by what a payer came back with. He may bring what he got for another payment, so that
/// the answer has to name this one: by our reference, or by Adyen's where it says no other.
pub fn details(key: &str, psp_reference: Option<&str>, answer: Answer) -> Finding {
    of_look_up(answer, |answer| {
        // No status but 2xx says anything about the payment.
        let answer: PaymentAnswer = answer.json().filter(|_| answer.status < 300)?;
        let is_ours = match (&answer.merchant_reference, &answer.psp_reference) {
            (Some(reference), _) => reference == key,
            (None, Some(own)) => psp_reference == Some(own),
            (None, None) => false,
        };
        let standing = is_ours.then(|| standing(&answer)).flatten();
        standing.map(Finding::Outcome)
    })
}

/// Returns whether a kept card is deleted. A refusal of the request says that it isn't there.
///
/// # Errors
/// Why that isn't known.
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

/// Nobody was asked: Adyen tells a payment's outcome to those who bring something new, and by notices.
pub fn nothing_to_ask() -> Finding {
    Finding::Outcome(Outcome::Unknown(UnknownReason::ConnectionLost))
}

/// The outcome of a capture, cancel, reversal or refund: all that is answered is that it was received.
pub fn modification(key: &str, payment: Option<&str>, answer: Answer) -> Outcome {
    of_request(answer, |answer| {
        let answer: ModificationAnswer = answer.json()?;
        let payments = payment.zip(answer.payment_psp_reference.as_deref());
        let is_of_payment = payments.is_none_or(|(asked, answered)| asked == answered);
        let is_ours = answer.status == "received"
            && answer.reference.as_ref().is_none_or(|own| own == key)
            && is_of_payment;
        is_ours.then(|| Outcome::Pending {
            reference: Some(answer.psp_reference),
        })
    })
}

/// How a payment stands; `None` where the answer lacks what its word promises.
fn standing(answer: &PaymentAnswer) -> Option<Outcome> {
    let reference = answer.psp_reference.clone();
    match answer.result_code {
        ResultCode::Authorised => approval(answer, answer.amount.as_ref()),
        ResultCode::PartiallyAuthorised => approval(answer, Some(&part(answer)?)),
        ResultCode::Refused | ResultCode::Cancelled | ResultCode::Error => {
            Some(Outcome::Declined(errors::refusal(answer)))
        }
        ResultCode::RedirectShopper => page(answer.action.as_ref()?, reference),
        // Only a native page could go on, and without it nothing is ever authorised.
        ResultCode::IdentifyShopper => Some(not_offered("IdentifyShopper")),
        ResultCode::ChallengeShopper => Some(not_offered("ChallengeShopper")),
        ResultCode::Pending | ResultCode::Received | ResultCode::PresentToShopper => {
            Some(Outcome::Pending { reference })
        }
        // Of what we never ask for.
        ResultCode::AuthenticationFinished
        | ResultCode::AuthenticationNotRequired
        | ResultCode::Success
        | ResultCode::Other => None,
    }
}

fn not_offered(asked: &str) -> Outcome {
    Outcome::Declined(errors::action_not_offered(asked))
}

/// A page that the payer is sent to; one that wants a form posted to it can't be reached by an address.
fn page(action: &Action, reference: Option<String>) -> Option<Outcome> {
    let is_page = action.kind == "redirect";
    let is_get = action
        .method
        .as_deref()
        .is_none_or(|method| method == "GET");
    if !is_page || !is_get {
        let method = action.method.as_deref().unwrap_or_default();
        return Some(not_offered(format!("{} {method}", action.kind).trim()));
    }
    let url = web_page(action.url.clone())?;
    Some(Outcome::CustomerMustAct { reference, url })
}

/// The part of the amount that was approved.
fn part(answer: &PaymentAnswer) -> Option<Amount> {
    let told = || {
        Some(Amount {
            value: answer.additional("authorisedAmountValue")?.parse().ok()?,
            currency: answer.additional("authorisedAmountCurrency")?.to_owned(),
        })
    };
    told().or_else(|| answer.amount.clone())
}

fn approval(answer: &PaymentAnswer, amount: Option<&Amount>) -> Option<Outcome> {
    // Without it nothing could be captured, released or given back.
    let reference = answer.psp_reference.clone()?;
    let approval = Approval {
        reference: Some(reference),
        network_transaction_id: answer.additional("networkTxReference").map(str::to_owned),
        mandate: mandate(&answer.additional_data),
        checks: errors::checks(answer),
        remarks: remarks(&answer.additional_data),
        ..Approval::default()
    };
    Some(Outcome::Done(match amount {
        Some(amount) => of_amount(approval, amount)?,
        None => approval,
    }))
}

/// What Adyen keeps since, where it was asked to. It isn't read of notices, whose additional data nobody signs.
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

/// What stands beside an approval, where the account is told: nothing is decided by it. Of notices nobody signs it.
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
    .told()
}

/// A text that says something, and not more than such a word can.
fn is_short(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| (1..=64).contains(&text.len()))
}

/// With what was really done; `None` where the amount is no whole number of our units.
pub fn of_amount(approval: Approval, amount: &Amount) -> Option<Approval> {
    // Another currency is told as it is: it is for others to judge.
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
