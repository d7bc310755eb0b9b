//! Adyen's reasons: why a payment was refused, and why a request was.

use multirail_domain::connector::{Decline, IssuerWords, Outcome, UnknownReason};

use super::wire::{PaymentAnswer, ResultCode, ServiceError};
use crate::wire::WireAnswer;

/// The code of a payment that asks the payer for something which no page of ours can offer.
pub const ACTION_NOT_OFFERED_CODE: &str = "action_not_offered";

/// Another request with the same key is being worked on.
const IN_PROGRESS: &str = "704";

/// Why payments are refused: code and words, as answers have them. Notices have the words alone.
const REFUSALS: &[(&str, &str)] = &[
    ("2", "Refused"),
    ("3", "Referral"),
    ("4", "Acquirer Error"),
    ("5", "Blocked Card"),
    ("6", "Expired Card"),
    ("7", "Invalid Amount"),
    ("8", "Invalid Card Number"),
    ("9", "Issuer Unavailable"),
    ("10", "Not supported"),
    ("11", "3D Not Authenticated"),
    ("12", "Not enough balance"),
    ("14", "Acquirer Fraud"),
    ("15", "Cancelled"),
    ("16", "Shopper Cancelled"),
    ("17", "Invalid Pin"),
    ("18", "Pin tries exceeded"),
    ("19", "Pin validation not possible"),
    ("20", "FRAUD"),
    ("21", "Not Submitted"),
    ("22", "FRAUD-CANCELLED"),
    ("23", "Transaction Not Permitted"),
    ("24", "CVC Declined"),
    ("25", "Restricted Card"),
    ("26", "Revocation Of Auth"),
    ("27", "Declined Non Generic"),
    ("28", "Withdrawal amount exceeded"),
    ("29", "Withdrawal count exceeded"),
    ("31", "Issuer Suspected Fraud"),
    ("32", "AVS Declined"),
    ("33", "Card requires online pin"),
    ("34", "No checking account available on Card"),
    ("35", "No savings account available on Card"),
    ("36", "Mobile pin required"),
    ("37", "Contactless fallback"),
    ("38", "Authentication required"),
    ("39", "RReq not received from DS"),
    ("40", "Current AID is in Penalty box."),
    ("41", "CVM Required Restart Payment"),
    ("42", "3DS Authentication Error"),
    (
        "46",
        "Transaction blocked by Adyen to prevent excessive retry fees",
    ),
];

/// The codes of payers who failed or gave up while they were authenticated.
const IN_AUTHENTICATION: &[&str] = &["11", "16", "39", "42"];

/// The refusal that a payment's answer tells of.
pub fn refusal(answer: &PaymentAnswer) -> Decline {
    let words = answer.refusal_reason.as_deref();
    let code = answer.refusal_reason_code.as_deref();
    let code = code.or_else(|| code_of(words?));
    // Who goes away from the issuer's page cancels.
    let is_cancelled = answer.result_code == ResultCode::Cancelled;
    let unsaid = if is_cancelled { "16" } else { "2" };
    Decline {
        issuer: issuer_words(answer),
        ..refused(code.unwrap_or(unsaid), words)
    }
}

/// The refusal that a notice tells of, which has the words alone.
pub fn told_refusal(event: &str, words: Option<&str>) -> Decline {
    let words = words.map(str::trim).filter(|words| !words.is_empty());
    match words.and_then(code_of) {
        Some(code) => refused(code, words),
        None => Decline {
            code: event.to_owned(),
            message: words.unwrap_or("The processor gives no reason").to_owned(),
            ..Decline::default()
        },
    }
}

/// A payment that no payer can finish, because it asks for something else than a visit to a page.
pub fn action_not_offered(asked: &str) -> Decline {
    Decline {
        code: ACTION_NOT_OFFERED_CODE.to_owned(),
        message: format!("The processor wants an authentication that can't be offered: {asked}"),
        in_authentication: true,
        ..Decline::default()
    }
}

/// What an answer says that is no 2xx; `None` where it doesn't say it in Adyen's words.
pub fn of_request(answer: &WireAnswer) -> Option<Outcome> {
    let error: ServiceError = answer.json()?;
    // What is stored under the key is another request's, or isn't there yet.
    if error.error_code == IN_PROGRESS || !is_definite(&error) {
        return Some(Outcome::Unknown(UnknownReason::ProcessorError));
    }
    Some(Outcome::Declined(Decline {
        code: error.error_code,
        message: error.message,
        ..Decline::default()
    }))
}

/// What an answer with a status of 5xx says nevertheless. Adyen sends refusals of requests with such a status too, and says
/// which failures end before a word went to an acquirer; everything else leaves the outcome open.
pub fn of_failure(answer: &WireAnswer) -> Option<Outcome> {
    if answer.status < 500 {
        return None;
    }
    if answer.header("transient-error") == Some("true") {
        return Some(Outcome::NeverHappened {
            reason: "the processor had no connection to the acquirer".to_owned(),
        });
    }
    let error: ServiceError = answer.json()?;
    if is_definite(&error) {
        of_request(answer)
    } else {
        None
    }
}

/// The processor judged the request, and did nothing.
fn is_definite(error: &ServiceError) -> bool {
    matches!(
        error.error_type.as_str(),
        "validation" | "security" | "configuration"
    )
}

fn refused(code: &str, words: Option<&str>) -> Decline {
    let known = REFUSALS.iter().find(|(own, _)| *own == code);
    let words = words.or(known.map(|(_, words)| *words));
    Decline {
        code: code.to_owned(),
        message: words.unwrap_or("Refused").to_owned(),
        in_authentication: IN_AUTHENTICATION.contains(&code),
        ..Decline::default()
    }
}

fn code_of(words: &str) -> Option<&'static str> {
    let mut known = REFUSALS.iter();
    let found = known.find(|(_, own)| own.eq_ignore_ascii_case(words.trim()));
    found.map(|(code, _)| *code)
}

/// What issuer and scheme said, where the account is told: a code, a colon and words.
fn issuer_words(answer: &PaymentAnswer) -> Option<Box<IssuerWords>> {
    let (code, message) = halves(answer.additional("refusalReasonRaw")?);
    let advice = answer.additional("merchantAdviceCode").map(halves);
    let (advice_code, advice_message) = advice.unzip();
    Some(Box::new(IssuerWords {
        code,
        message,
        advice_code,
        advice_message: advice_message.filter(|words| !words.is_empty()),
        ..IssuerWords::default()
    }))
}

fn halves(text: &str) -> (String, String) {
    let (code, words) = text.split_once(':').unwrap_or((text, ""));
    (code.trim().to_owned(), words.trim().to_owned())
}
