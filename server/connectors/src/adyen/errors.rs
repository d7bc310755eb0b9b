//! Maps Adyen's refusal reasons and request errors.

use multirail_sdk::connector::{
    CardChecks, Decline, DeclineCategory, IssuerWords, Outcome, UnknownReason,
};

use super::generated::wire::{
    PaymentDetailsResponse, RefusalReason, RefusalReasonCode, ResultCode, ServiceError,
};
use super::map::additional;
use crate::wire::WireAnswer;

/// The code of a payment that needs a payer's action which our page can't offer.
pub const ACTION_NOT_OFFERED_CODE: &str = "action_not_offered";

/// Another request with the same key is in progress.
const IN_PROGRESS: &str = "704";

/// Refusal codes of payers who failed or left the authentication.
const IN_AUTHENTICATION: &[&str] = &["11", "16", "39", "42"];

/// Returns the decline in a payment's answer.
pub fn refusal(answer: &PaymentDetailsResponse) -> Decline {
    let words = answer.refusal_reason.as_deref();
    let code = answer.refusal_reason_code.as_deref();
    let code = code.or_else(|| code_of(words?));
    // Payers who leave the issuer's page cancel the payment.
    let state = answer.result_code.as_deref().map(ResultCode::read);
    let is_cancelled = state == Some(ResultCode::Cancelled);
    let (code, words) = match code {
        Some(code) => (code, words),
        None if is_cancelled => ("16", words.or(Some("Shopper Cancelled"))),
        None => ("2", words),
    };
    Decline {
        issuer: issuer_words(answer),
        checks: checks(answer).map(Box::new),
        ..refused(code, words)
    }
}

/// Returns the decline in a notice, which contains only the text.
pub fn notice_refusal(event: &str, words: Option<&str>) -> Decline {
    let words = words.map(str::trim).filter(|words| !words.is_empty());
    match words.and_then(code_of) {
        Some(code) => refused(code, words),
        None => Decline {
            code: event.to_owned(),
            message: words.unwrap_or("The processor gives no reason").to_owned(),
            // The payer left the page alone.
            category: (event == "OFFER_CLOSED").then_some(DeclineCategory::PaymentSessionTimeout),
            ..Decline::default()
        },
    }
}

/// Returns the decline of a payment that asks for another action than a visit to a page.
pub fn action_not_offered(asked: &str) -> Decline {
    Decline {
        code: ACTION_NOT_OFFERED_CODE.to_owned(),
        message: format!("The processor wants an authentication that can't be offered: {asked}"),
        in_authentication: true,
        category: Some(DeclineCategory::ThreeDsConfigurationIssue),
        ..Decline::default()
    }
}

/// Reads an error answer; `None` if the body isn't Adyen's error format.
pub fn of_request(answer: &WireAnswer) -> Option<Outcome> {
    let error: ServiceError = answer.json()?;
    let code = error.error_code.clone()?;
    // The key belongs to another request, or its result isn't stored yet.
    let category = category_of_request(&error).filter(|_| code != IN_PROGRESS);
    let Some(category) = category.filter(|_| !is_transient(answer)) else {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    };
    Some(Outcome::Declined(Decline {
        category: Some(category),
        code,
        message: error.message.unwrap_or_default(),
        ..Decline::default()
    }))
}

/// Reads an answer whose status alone would be misread.
///
/// By the header `transient-error` Adyen asks for the same request again, with any status: the
/// outcome is unknown then. Adyen also refuses requests with a status of 5xx.
pub fn of_failure(answer: &WireAnswer) -> Option<Outcome> {
    if answer.status >= 300 && is_transient(answer) {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    if answer.status < 500 {
        return None;
    }
    category_of_request(&answer.json()?)?;
    of_request(answer)
}

/// Checks whether Adyen asks for the same request again under the same key.
fn is_transient(answer: &WireAnswer) -> bool {
    let word = answer.header("transient-error").map(str::trim);
    word.is_some_and(|word| word.eq_ignore_ascii_case("true"))
}

/// Returns the category of a request that was refused without effect.
fn category_of_request(error: &ServiceError) -> Option<DeclineCategory> {
    error.error_type?.means()
}

/// Returns the category of a refusal code.
pub fn category_of(code: &str) -> Option<DeclineCategory> {
    RefusalReasonCode::read(code).means()
}

fn refused(code: &str, words: Option<&str>) -> Decline {
    Decline {
        code: code.to_owned(),
        message: words.unwrap_or("Refused").to_owned(),
        in_authentication: IN_AUTHENTICATION.contains(&code),
        category: category_of(code),
        ..Decline::default()
    }
}

fn code_of(words: &str) -> Option<&'static str> {
    let code = RefusalReason::read(words.trim()).means()?;
    Some(code.as_str())
}

/// Returns the answers of issuer and scheme, for accounts that receive them. Each is a code, a
/// colon and a text.
fn issuer_words(answer: &PaymentDetailsResponse) -> Option<Box<IssuerWords>> {
    let raw = additional(answer, "refusalReasonRaw").map(halves);
    let advice = additional(answer, "merchantAdviceCode").map(halves);
    if raw.is_none() && advice.is_none() {
        return None;
    }
    let (code, message) = raw.unwrap_or_default();
    let (advice_code, advice_message) = advice.unzip();
    Some(Box::new(IssuerWords {
        code,
        message,
        advice_code,
        advice_message: advice_message.filter(|words| !words.is_empty()),
        ..IssuerWords::default()
    }))
}

/// Adyen's numbers for the result of the card code check, with the scheme's letters.
const CARD_CODE_RESULTS: &[(&str, &str)] = &[
    ("0", "U"),
    ("1", "M"),
    ("2", "N"),
    ("3", "P"),
    ("4", "S"),
    ("5", "U"),
    ("6", "P"),
];

/// Adyen's numbers for the result of the address check, with the scheme's letters:
///
/// - `Y`: street and postal code match.
/// - `A`: only the street matches. `Z`: only the postal code matches.
/// - `B`: the street matches, the postal code wasn't checked. `P`: the postal code matches, the
///   street wasn't checked.
/// - `N`: nothing matches.
/// - `R`: the check was unavailable. `S`: the card doesn't support it. `U`: unknown.
const ADDRESS_RESULTS: &[(&str, &str)] = &[
    ("0", "U"),
    ("1", "A"),
    ("2", "N"),
    ("3", "R"),
    ("4", "S"),
    ("5", "U"),
    ("6", "Z"),
    ("7", "Y"),
    ("8", "U"),
    ("9", "B"),
    ("10", "N"),
    ("11", "U"),
    ("12", "B"),
    ("13", "N"),
    ("14", "P"),
    ("15", "P"),
    ("16", "N"),
    ("17", "N"),
    ("18", "U"),
    ("19", "Z"),
    ("20", "Y"),
    ("21", "A"),
    ("22", "U"),
    ("23", "Z"),
    ("24", "Y"),
    ("25", "A"),
    ("26", "N"),
];

/// Returns the results of the address and card code checks, in the scheme's letters. The acquirer's
/// letters are used for accounts that receive them, or else Adyen's numbers, which every account
/// receives.
pub fn checks(answer: &PaymentDetailsResponse) -> Option<CardChecks> {
    let letter = |name| {
        let letter = additional(answer, name).map(str::trim);
        letter
            .filter(|letter| !letter.is_empty())
            .map(str::to_owned)
    };
    let numbered = |name, letters: &[(&str, &str)]| {
        let (number, _) = halves_at(additional(answer, name)?.trim(), ' ');
        let known = letters.iter().find(|(own, _)| *own == number);
        known.map(|(_, letter)| (*letter).to_owned())
    };
    CardChecks::new(
        letter("avsResultRaw").or_else(|| numbered("avsResult", ADDRESS_RESULTS)),
        letter("cvcResultRaw").or_else(|| numbered("cvcResult", CARD_CODE_RESULTS)),
    )
}

fn halves(text: &str) -> (String, String) {
    halves_at(text, ':')
}

fn halves_at(text: &str, between: char) -> (String, String) {
    let (code, words) = text.split_once(between).unwrap_or((text, ""));
    (code.trim().to_owned(), words.trim().to_owned())
}
