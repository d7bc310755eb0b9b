//! Maps Stripe's errors to outcomes and declines.

use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    Decline, DeclineCategory, IssuerWords, OperationKind, Outcome, UnknownReason,
};

use super::generated::wire::{DeclineCode, Error, ErrorCode, ErrorType};
use super::map::State;
use crate::wire::WireAnswer;

/// Another request under the same key is in progress.
const KEY_IN_USE: &str = "idempotency_key_in_use";
/// The payer failed or left the authentication.
const AUTHENTICATION_FAILED: [&str; 2] = [
    "payment_intent_authentication_failure",
    "setup_intent_authentication_failure",
];
/// The code of a payment that was cancelled.
const CANCELED: &str = "canceled";
/// The authorization has expired.
const AUTHORIZATION_GONE: [&str; 2] = [
    "capture_charge_authorization_expired",
    "charge_expired_for_capture",
];

/// Checks whether the answer asks for the same request again: by status (a conflict, or a failed
/// dependency of Stripe's) or by header. It says nothing about the operation.
pub fn is_to_be_repeated(answer: &WireAnswer) -> bool {
    matches!(answer.status, 409 | 424)
        || answer.header("stripe-should-retry").map(str::trim) == Some("true")
}

/// Returns the outcome of an operation that was answered with a 4xx.
pub fn outcome(kind: OperationKind, error: &Error) -> Option<Outcome> {
    if error.code.as_deref() == Some(KEY_IN_USE) {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    match error.kind {
        ErrorType::CardError | ErrorType::InvalidRequestError => {
            let gone = kind == OperationKind::Capture && authorization_gone(error);
            Some(Outcome::Declined(Decline {
                authorization_gone: gone,
                ..decline(error)
            }))
        }
        // The key belongs to a different request, whose outcome a look-up shows.
        ErrorType::IdempotencyError | ErrorType::ApiError => {
            Some(Outcome::Unknown(UnknownReason::ProcessorError))
        }
        ErrorType::Unknown => None,
    }
}

/// Returns a decline. Its code is the most specific one: the card's decline code, or else the error
/// code.
pub fn decline(error: &Error) -> Decline {
    let code = error.decline_code.as_ref().or(error.code.as_ref());
    let mut said = Vec::new();
    if error.decline_code.is_some() {
        said.extend(error.code.clone());
    }
    said.extend(error.param.as_ref().map(|param| format!("param: {param}")));
    Decline {
        code: code.map_or_else(|| kind_word(error.kind).to_owned(), Clone::clone),
        message: error
            .message
            .clone()
            .unwrap_or_else(|| "Stripe gives no reason in words".to_owned()),
        reason: (!said.is_empty()).then(|| said.join(", ")),
        in_authentication: is_one_of(&AUTHENTICATION_FAILED, error),
        category: category(error),
        issuer: issuer(error).map(Box::new),
        ..Decline::default()
    }
}

/// Returns the category of a refusal: by the card's decline code, or else by the error code.
fn category(error: &Error) -> Option<DeclineCategory> {
    let codes = [error.decline_code.as_deref(), error.code.as_deref()];
    let mut named = codes.into_iter().flatten().filter_map(category_of);
    named.next().or(match error.kind {
        ErrorType::InvalidRequestError => Some(DeclineCategory::IntegrationIssue),
        ErrorType::CardError
        | ErrorType::IdempotencyError
        | ErrorType::ApiError
        | ErrorType::Unknown => None,
    })
}

/// Returns the category of a code of either kind. Codes that give no reason have none.
pub fn category_of(code: &str) -> Option<DeclineCategory> {
    let own = (code == CANCELED).then_some(DeclineCategory::InvalidState);
    let of_card = DeclineCode::read(code).means();
    of_card.or_else(|| ErrorCode::read(code).means()).or(own)
}

/// Checks whether Stripe refused the request because the customer doesn't exist.
pub fn says_no_customer(decline: &Decline) -> bool {
    decline.code == "resource_missing" && decline.reason.as_deref() == Some("param: customer")
}

/// Returns the decline of an intent that was canceled.
pub fn ended(reason: Option<&str>) -> Decline {
    Decline {
        code: CANCELED.to_owned(),
        message: "the payment was cancelled at the processor".to_owned(),
        reason: reason.map(str::to_owned),
        // Ended by Stripe, not by a user of the account.
        authorization_gone: matches!(reason, Some("automatic" | "expired")),
        category: category_of(CANCELED),
        ..Decline::default()
    }
}

fn authorization_gone(error: &Error) -> bool {
    let intent = error.payment_intent.as_ref();
    is_one_of(&AUTHORIZATION_GONE, error)
        || intent.is_some_and(|intent| intent.status.means() == Some(State::Ended))
}

/// Returns the issuer's answer, as far as Stripe passes it on. The scheme's advice becomes the
/// code, and Stripe's own advice the text.
fn issuer(error: &Error) -> Option<IssuerWords> {
    let advice = error
        .network_advice_code
        .as_ref()
        .or(error.advice_code.as_ref());
    let code = error.network_decline_code.as_ref();
    let said = code.or(error.decline_code.as_ref());
    (code.is_some() || advice.is_some()).then(|| IssuerWords {
        code: said.cloned().unwrap_or_default(),
        message: error.message.clone().unwrap_or_default(),
        advice_code: advice.cloned(),
        advice_message: error.advice_code.clone(),
        unread: UnreadMembers::default(),
    })
}

fn is_one_of(codes: &[&str], error: &Error) -> bool {
    error
        .code
        .as_deref()
        .is_some_and(|code| codes.contains(&code))
}

fn kind_word(kind: ErrorType) -> &'static str {
    match kind {
        ErrorType::CardError => "card_error",
        ErrorType::IdempotencyError => "idempotency_error",
        ErrorType::InvalidRequestError => "invalid_request_error",
        ErrorType::ApiError => "api_error",
        ErrorType::Unknown => "error",
    }
}
