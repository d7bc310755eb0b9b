//! What every processor means by a missing answer and by a status, so that each connector reads only what is its own.

use multirail_kernel::web_address::is_web_page;
use multirail_sdk::connector::{
    AccountCheck, CREDENTIALS_REFUSED_CODE, Decline, DeclineCategory, Finding, Outcome,
    UnknownReason,
};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::client::{Answer, TransportError};
use crate::pause::retry_after;
use crate::wire::WireAnswer;

/// The outcome of an authorize, capture, void or refund. `read` is the connector's own reading of an answer whose status is
/// 2xx or 4xx; `None` is what it can't read.
///
/// Of a request that may be a repetition this is what became of that one request: a "no" which isn't the operation's own
/// (429, 401, 403, no connection) says nothing about an earlier one under the same key ([`Outcome::of_a_repeat`]).
pub fn of_operation(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(TransportError::NotSent(why)) => return Outcome::turned_away(why),
        Err(error) => return Outcome::Unknown(reason(error)),
    };
    match answer.status {
        401 | 403 => Outcome::Declined(credentials_refused(answer.status, read(&answer))),
        // It waited for a request that may have been complete; a gateway on the way says so too.
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

/// What a look-up came to. `read` is the connector's own reading of an answer whose status is 2xx or 404; `None` is what it
/// can't read. A look-up that comes to nothing says nothing about the operation.
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

/// What a processor says to an account's credentials, by its answer to a request that does nothing. `read` is as in
/// [`of_operation`]: a refusal's words are passed on.
pub fn of_check(answer: Answer, read: impl FnOnce(&WireAnswer) -> Option<Outcome>) -> AccountCheck {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return AccountCheck::NotKnown(reason(error)),
    };
    match answer.status {
        // A page of something on the way is no answer of a processor's.
        200..=299 if answer.json::<IgnoredAny>().is_some() => AccountCheck::Accepted,
        408 | 429 | 500..=599 => AccountCheck::NotKnown(UnknownReason::ProcessorError),
        401 | 403 => {
            let refused = credentials_refused(answer.status, read(&answer));
            AccountCheck::Refused {
                message: refused.reason.unwrap_or(refused.message),
            }
        }
        // A refusal of anything else only counts in the processor's own words.
        400..=499 => match words(read(&answer)) {
            Some(message) => AccountCheck::Refused { message },
            None => AccountCheck::NotKnown(UnknownReason::UnreadableAnswer),
        },
        _ => AccountCheck::NotKnown(UnknownReason::UnreadableAnswer),
    }
}

const NO_CREDENTIALS: &str = "the account has no credentials that could be sent";

/// Of an account whose credentials are not those that the connector wants.
pub fn no_credentials() -> Outcome {
    Outcome::never_happened(NO_CREDENTIALS)
}

/// The check of such an account.
pub fn check_without_credentials() -> AccountCheck {
    AccountCheck::Refused {
        message: NO_CREDENTIALS.to_owned(),
    }
}

/// The page that a payer is sent to. `None` where a processor names what is no page: nobody is sent there.
pub fn web_page(url: Option<String>) -> Option<String> {
    url.filter(|url| is_web_page(url))
}

/// The thing that a question is answered with.
///
/// # Errors
/// What the look-up comes to without it. A 404 is none of the processor's words about what became of an operation.
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

/// Why a question that isn't about an operation came to nothing.
pub fn why_unknown(failed: Finding) -> UnknownReason {
    match failed {
        Finding::Outcome(Outcome::Unknown(reason)) => reason,
        Finding::Outcome(_) | Finding::Absent { .. } => UnknownReason::UnreadableAnswer,
    }
}

/// The processor has nothing.
pub fn absent(reason: impl Into<String>) -> Finding {
    Finding::Absent {
        reason: reason.into(),
    }
}

/// What a look-up found, as far as it can be read.
pub fn learned(read: Option<Outcome>) -> Finding {
    Finding::Outcome(read.unwrap_or(Outcome::Unknown(UnknownReason::UnreadableAnswer)))
}

/// A look-up that learned nothing.
pub fn not_learned(reason: UnknownReason) -> Finding {
    Finding::Outcome(Outcome::Unknown(reason))
}

/// Why there is no answer, in the words of the domain.
pub fn reason(error: TransportError) -> UnknownReason {
    match error {
        TransportError::NotSent(_) | TransportError::Broken => UnknownReason::ConnectionLost,
        TransportError::TimedOut => UnknownReason::Timeout,
        TransportError::TooLong => UnknownReason::UnreadableAnswer,
    }
}

/// What the processor says of it, where it says anything, is passed on as the reason.
fn credentials_refused(status: u16, said: Option<Outcome>) -> Decline {
    Decline {
        code: CREDENTIALS_REFUSED_CODE.to_owned(),
        message: format!("the processor refuses the credentials of this account ({status})"),
        reason: words(said),
        category: Some(DeclineCategory::InvalidCredentials),
        ..Decline::default()
    }
}

/// Code and words of a refusal.
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
