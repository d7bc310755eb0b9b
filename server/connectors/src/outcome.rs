//! The meaning of missing answers and of HTTP statuses, which is the same for all processors.
//! Connectors only interpret the rest.

use multirail_kernel::web_address::is_web_page;
use multirail_sdk::connector::{
    AccountCheck, CREDENTIALS_REFUSED_CODE, Decline, DeclineCategory, Finding, Outcome,
    UnknownReason,
};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::client::{Answer, NotSent, TransportError};
use crate::pause::retry_after;
use crate::wire::WireAnswer;

/// Returns the outcome of an operation. `read` is the connector's interpretation of answers with
/// status 2xx or 4xx; it returns `None` for answers that it can't read.
///
/// The outcome describes this one request. A "no" to the request alone (429, 401, 403, no
/// connection) says nothing about an earlier request under the same key ([`Outcome::of_a_repeat`]).
pub fn of_operation(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(TransportError::NotSent(NotSent::NoCredentials)) => return no_credentials(),
        Err(TransportError::NotSent(why)) => return Outcome::turned_away(why),
        Err(error) => return Outcome::Unknown(reason(error)),
    };
    match answer.status {
        401 | 403 => Outcome::Declined(credentials_refused(answer.status, read(&answer))),
        // The server timed out while waiting for the request, which may have been complete.
        // Gateways also send this status.
        408 => Outcome::Unknown(UnknownReason::ProcessorError),
        429 => Outcome::turned_away(match retry_after(&answer) {
            Some(pause) => {
                let seconds = pause.as_secs();
                format!("the processor takes no more requests for {seconds} seconds")
            }
            None => "the processor takes no more requests for now".to_owned(),
        }),
        200..=299 | 400..=499 => {
            read(&answer).unwrap_or(Outcome::Unknown(UnknownReason::UnreadableAnswer))
        }
        500..=599 => Outcome::Unknown(UnknownReason::ProcessorError),
        _ => Outcome::Unknown(UnknownReason::UnreadableAnswer),
    }
}

/// Returns the result of a look-up. `read` is the connector's interpretation of answers with status
/// 2xx or 404; it returns `None` for answers that it can't read. A failed look-up says nothing
/// about the operation.
pub fn of_look_up(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Finding>) -> Finding {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return not_learned(reason(error)),
    };
    match answer.status {
        200..=299 | 404 => read(&answer).unwrap_or_else(|| learned(None)),
        408 | 429 | 500..=599 => not_learned(UnknownReason::ProcessorError),
        _ => not_learned(UnknownReason::UnreadableAnswer),
    }
}

/// Returns the processor's verdict on an account's credentials, from its answer to a request
/// without effect. `read` works as in [`of_operation`]; the message of a refusal is passed on.
pub fn of_check(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> AccountCheck {
    let answer = match answer {
        Ok(answer) => answer,
        Err(TransportError::NotSent(NotSent::NoCredentials)) => return check_without_credentials(),
        Err(error) => return AccountCheck::NotKnown(reason(error)),
    };
    match answer.status {
        // Other bodies come from a proxy, not from the processor.
        200..=299 if answer.json::<IgnoredAny>().is_some() => AccountCheck::Accepted,
        408 | 429 | 500..=599 => AccountCheck::NotKnown(UnknownReason::ProcessorError),
        401 | 403 => {
            let refused = credentials_refused(answer.status, read(&answer));
            AccountCheck::Refused {
                message: refused.reason.unwrap_or(refused.message),
            }
        }
        // Other refusals only count if the processor itself words them.
        400..=499 => match words(read(&answer)) {
            Some(message) => AccountCheck::Refused { message },
            None => AccountCheck::NotKnown(UnknownReason::UnreadableAnswer),
        },
        _ => AccountCheck::NotKnown(UnknownReason::UnreadableAnswer),
    }
}

/// Returns the outcome for an account without the credentials that the connector needs.
pub fn no_credentials() -> Outcome {
    Outcome::never_happened(NotSent::NoCredentials)
}

/// Returns the check's result for such an account.
pub fn check_without_credentials() -> AccountCheck {
    AccountCheck::Refused {
        message: NotSent::NoCredentials.to_string(),
    }
}

/// Returns the outcome of a change of a payment whose id at this processor isn't known: nothing was
/// sent.
pub fn without_reference(processor: &str) -> Outcome {
    Outcome::never_happened(format!("{processor}'s id of the payment isn't known yet"))
}

/// Returns the page for the payer, or `None` if the URL is no web page.
pub fn web_page(url: Option<String>) -> Option<String> {
    url.filter(|url| is_web_page(url))
}

/// Reads the object that a look-up returns.
///
/// # Errors
/// The look-up's result without the object. A 404 here says nothing about the operation.
#[expect(
    clippy::result_large_err,
    reason = "it is the answer, handed on as it is"
)]
pub fn thing<T: DeserializeOwned>(answer: Answer) -> Result<T, Finding> {
    let mut thing = None;
    let failed = of_look_up(answer, |answer| {
        if answer.status < 400 {
            thing = answer.json();
        }
        None
    });
    thing.ok_or(failed)
}

/// Returns why a look-up of something other than an operation failed.
pub fn why_unknown(failed: Finding) -> UnknownReason {
    match failed {
        Finding::Outcome(Outcome::Unknown(reason)) => reason,
        Finding::Outcome(_) | Finding::Absent { .. } => UnknownReason::UnreadableAnswer,
    }
}

/// Returns the finding that the processor has no such object.
pub fn absent(reason: impl Into<String>) -> Finding {
    Finding::Absent {
        reason: reason.into(),
    }
}

/// Returns the finding of a look-up; an unreadable answer is an unknown outcome.
pub fn learned(read: Option<Outcome>) -> Finding {
    Finding::Outcome(read.unwrap_or(Outcome::Unknown(UnknownReason::UnreadableAnswer)))
}

/// Returns the finding of a failed look-up.
pub fn not_learned(reason: UnknownReason) -> Finding {
    Finding::from(reason)
}

/// Maps a transport error to the reason of an unknown outcome.
pub fn reason(error: TransportError) -> UnknownReason {
    match error {
        TransportError::NotSent(_) | TransportError::Broken => UnknownReason::ConnectionLost,
        TransportError::TimedOut => UnknownReason::Timeout,
        TransportError::TooLong => UnknownReason::UnreadableAnswer,
    }
}

/// Returns the decline for refused credentials. The processor's message, if any, becomes the
/// reason.
fn credentials_refused(status: u16, said: Option<Outcome>) -> Decline {
    Decline {
        code: CREDENTIALS_REFUSED_CODE.to_owned(),
        message: format!("the processor refuses the credentials of this account ({status})"),
        reason: words(said),
        category: Some(DeclineCategory::InvalidCredentials),
        ..Decline::default()
    }
}

/// Returns code and message of a refusal.
fn words(said: Option<Outcome>) -> Option<String> {
    match said {
        Some(Outcome::Declined(said)) => Some(format!("{}: {}", said.code, said.message)),
        Some(
            Outcome::Done(_)
            | Outcome::CustomerMustAct { .. }
            | Outcome::DeviceDataNeeded { .. }
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_),
        )
        | None => None,
    }
}

#[cfg(test)]
mod tests;
