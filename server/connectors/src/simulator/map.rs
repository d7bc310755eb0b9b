//! Maps the simulated processor's answers to outcomes.

use http::HeaderMap;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{
    AccountCheck, Approval, ConnectorMandate, Decline, Finding, Hold, IssuerWords, OperationKind,
    Outcome, PayerStep, Remarks, Review, SessionOpening, StepKind, UnknownReason,
};
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{
    AuthorizationAnswer, AuthorizationStatus, CaptureAnswer, ErrorAnswer, ErrorBody,
    OperationStatus, RefundAnswer, ReviewBody, SessionAnswer, TransportError as WireError,
    VoidAnswer, WireResponse,
};
use serde_json::Value;

use super::{errors, shown};
use crate::amounts::counted;
use crate::client::{Answer, NotSent, TransportError};
use crate::outcome::{of_check, of_look_up, of_operation, web_page};
use crate::wire::WireAnswer;

/// Converts a transport's result to the form of the other connectors' client.
pub fn answer(received: Result<WireResponse, WireError>) -> Answer {
    match received {
        Ok(response) => Ok(WireAnswer {
            status: response.status,
            headers: HeaderMap::new(),
            body: response.body.into_bytes(),
        }),
        Err(WireError::NotSent) => Err(TransportError::NotSent(NotSent::NoConnection)),
        Err(WireError::Broken) => Err(TransportError::Broken),
        Err(WireError::TimedOut) => Err(TransportError::TimedOut),
        Err(WireError::TooLong) => Err(TransportError::TooLong),
    }
}

/// Returns the outcome of an operation that was sent under `key`.
pub fn operation(kind: OperationKind, key: &str, answer: Answer) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        200 => read(kind, key, answer),
        400..=499 => match refusal(answer)? {
            // The processor has another request under this key, so a look-up has to show the
            // outcome.
            (Some(ErrorCode::KeyUsedOtherwise), _) => {
                Some(Outcome::Unknown(UnknownReason::ProcessorError))
            }
            (_, error) => Some(Outcome::Declined(decline(error))),
        },
        _ => None,
    })
}

/// Returns the result of a look-up of the operation `key`. A failed look-up says nothing about the
/// operation.
pub fn look_up(kind: OperationKind, key: &str, answer: Answer) -> Finding {
    of_look_up(answer, |answer| match answer.status {
        200 => read(kind, key, answer).map(Finding::Outcome),
        // Only the processor's own error code counts: gateways can answer 404, too.
        404 => match refusal(answer)? {
            (Some(code), error) if code == no_trace(kind) => Some(Finding::Absent {
                reason: error.message,
            }),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the processor's verdict on an API key.
pub fn account(answer: Answer) -> AccountCheck {
    of_check(answer, refused)
}

/// Reads the session that the processor opened.
pub fn session(answer: Answer) -> SessionOpening {
    let received = match answer {
        Ok(received) => received,
        Err(TransportError::NotSent(not_sent)) => {
            return SessionOpening::Refused {
                message: not_sent.to_string(),
            };
        }
        Err(TransportError::Broken) => {
            return SessionOpening::NotKnown(UnknownReason::ConnectionLost);
        }
        Err(TransportError::TimedOut) => return SessionOpening::NotKnown(UnknownReason::Timeout),
        Err(TransportError::TooLong) => {
            return SessionOpening::NotKnown(UnknownReason::UnreadableAnswer);
        }
    };
    let opened = match received.status {
        200 => received
            .json()
            .map(|SessionAnswer { id, token }| SessionOpening::Opened { id, token }),
        400..=499 => refusal(&received).map(|(_, error)| SessionOpening::Refused {
            message: error.message,
        }),
        _ => return SessionOpening::NotKnown(UnknownReason::ProcessorError),
    };
    opened.unwrap_or(SessionOpening::NotKnown(UnknownReason::UnreadableAnswer))
}

/// Returns the decline of a refused request of any kind.
pub fn refused(answer: &WireAnswer) -> Option<Outcome> {
    let (_, error) = refusal(answer)?;
    Some(Outcome::Declined(decline(error)))
}

/// Returns the processor's error code for a key that it doesn't know.
fn no_trace(kind: OperationKind) -> ErrorCode {
    match kind {
        OperationKind::Authorize
        | OperationKind::Increment
        | OperationKind::Capture
        | OperationKind::Void => ErrorCode::NotFound,
        OperationKind::Refund => ErrorCode::RefundNotFound,
    }
}

/// Reads a 200 answer or a notice. It must be complete and about this key.
pub(super) fn read(kind: OperationKind, key: &str, answer: &WireAnswer) -> Option<Outcome> {
    match kind {
        OperationKind::Authorize => answer
            .json()
            .filter(|answer: &AuthorizationAnswer| answer.key == key)
            .and_then(authorization),
        OperationKind::Increment | OperationKind::Capture => answer
            .json()
            .filter(|answer: &CaptureAnswer| answer.key == key)
            .and_then(capture),
        OperationKind::Void => answer
            .json()
            .filter(|answer: &VoidAnswer| answer.key == key)
            .and_then(void),
        OperationKind::Refund => answer
            .json()
            .filter(|answer: &RefundAnswer| answer.key == key)
            .and_then(refund),
    }
}

fn authorization(answer: AuthorizationAnswer) -> Option<Outcome> {
    let reference = Some(answer.reference);
    match answer.status {
        AuthorizationStatus::Approved => Some(Outcome::Done(Approval {
            reference,
            amount_minor: Some(counted(answer.approved_amount?)?),
            currency: Some(answer.currency),
            network_transaction_id: answer.network_transaction_id,
            mandate: answer.kept_as.map(|kept_as| {
                Box::new(ConnectorMandate {
                    connector_mandate_id: kept_as,
                    connector_customer_id: None,
                    unread: UnreadMembers::default(),
                })
            }),
            remarks: Remarks {
                auth_code: answer.auth_code,
                authentication: answer.authentication,
                ..Remarks::default()
            }
            .unless_empty(),
            hold: hold(
                answer.capture_before.as_deref(),
                answer.extended,
                answer.most_capturable,
            )?,
            review: answer.review.map(review),
            excess: optional_amount(answer.excess)?,
            ..Approval::default()
        })),
        AuthorizationStatus::AwaitingCustomer => Some(Outcome::CustomerMustAct {
            reference,
            step: PayerStep {
                kind: match answer.shows {
                    Some(shows) => StepKind::Shown(Box::new(shown::step(shows, answer.amount)?)),
                    None => StepKind::Page {
                        url: web_page(answer.redirect_url)?,
                    },
                },
                expires_at: optional_time(answer.expires_at.as_deref())?,
            },
        }),
        AuthorizationStatus::AwaitingDeviceData => Some(Outcome::DeviceDataNeeded {
            reference,
            url: web_page(answer.redirect_url)?,
        }),
        AuthorizationStatus::Pending => Some(Outcome::Pending { reference }),
        AuthorizationStatus::Declined
        | AuthorizationStatus::Cancelled
        | AuthorizationStatus::Lapsed => Some(Outcome::Declined(Decline {
            remarks: remarks_on(answer.sent_back),
            ..decline(answer.error?)
        })),
    }
}

/// Tells the merchant which part of a transfer went back.
fn remarks_on(sent_back: Option<i64>) -> Option<Box<Remarks>> {
    let told = sent_back.map(|amount| ("sent_back_to_payer".to_owned(), Value::from(amount)));
    Remarks {
        more: told.into_iter().collect(),
        ..Remarks::default()
    }
    .unless_empty()
}

fn review(said: ReviewBody) -> Box<Review> {
    Box::new(Review {
        screened_by: said.service,
        reference: Some(said.reference),
        score: Some(said.score),
        reason_code: Some(said.code),
        reason: Some(said.message),
        unread: UnreadMembers::default(),
    })
}

/// Reads the limits of an authorization; the outer `None` means that they can't be read.
fn hold(
    capture_before: Option<&str>,
    is_extended: Option<bool>,
    most_capturable: Option<i64>,
) -> Option<Option<Box<Hold>>> {
    let hold = Hold {
        capture_before: optional_time(capture_before)?,
        is_extended,
        most_capturable: optional_amount(most_capturable)?,
        ..Hold::default()
    };
    Some(hold.unless_empty())
}

/// Reads an optional amount; the outer `None` means that it can't be read.
fn optional_amount(amount: Option<i64>) -> Option<Option<i64>> {
    match amount {
        Some(amount) => counted(amount).map(Some),
        None => Some(None),
    }
}

/// Reads an optional time; the outer `None` means that it can't be read.
fn optional_time(text: Option<&str>) -> Option<Option<Timestamp>> {
    text.map(Timestamp::parse_rfc3339).transpose().ok()
}

fn capture(answer: CaptureAnswer) -> Option<Outcome> {
    let approval = Approval {
        reference: Some(answer.reference),
        amount_minor: Some(counted(answer.amount)?),
        currency: Some(answer.currency),
        ..Approval::default()
    };
    finished(answer.status, approval, answer.error)
}

fn void(answer: VoidAnswer) -> Option<Outcome> {
    let approval = Approval {
        reference: Some(answer.reference),
        amount_minor: Some(counted(answer.amount)?),
        remarks: remarks_on(answer.sent_back),
        ..Approval::default()
    };
    finished(answer.status, approval, answer.error)
}

fn refund(answer: RefundAnswer) -> Option<Outcome> {
    let approval = Approval {
        reference: Some(answer.reference),
        amount_minor: Some(counted(answer.amount)?),
        currency: Some(answer.currency),
        ..Approval::default()
    };
    finished(answer.status, approval, answer.error)
}

fn finished(status: OperationStatus, done: Approval, error: Option<ErrorBody>) -> Option<Outcome> {
    match status {
        OperationStatus::Done => Some(Outcome::Done(done)),
        OperationStatus::Pending => Some(Outcome::Pending {
            reference: done.reference,
        }),
        OperationStatus::Declined => Some(Outcome::Declined(decline(error?))),
    }
}

fn refusal(answer: &WireAnswer) -> Option<(Option<ErrorCode>, ErrorBody)> {
    let ErrorAnswer { error } = answer.json()?;
    Some((ErrorCode::parse(&error.code), error))
}

fn decline(error: ErrorBody) -> Decline {
    let authorization_gone = ErrorCode::parse(&error.code) == Some(ErrorCode::AuthorizationGone);
    let takes_back = ErrorCode::parse(&error.code) == Some(ErrorCode::TakenBack);
    let category = errors::category(&error);
    Decline {
        code: error.code,
        message: error.message,
        reason: None,
        in_authentication: error.in_authentication,
        authorization_gone,
        takes_back,
        category,
        issuer: error.issuer.map(|issuer| {
            Box::new(IssuerWords {
                code: issuer.code,
                message: issuer.message,
                advice_code: Some(issuer.advice_code),
                advice_message: Some(issuer.advice_message),
                unread: UnreadMembers::default(),
            })
        }),
        checks: None,
        advice: None,
        remarks: None,
        unread: UnreadMembers::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "mrk_1";
    const UNREADABLE: Outcome = Outcome::Unknown(UnknownReason::UnreadableAnswer);
    const TROUBLE: Outcome = Outcome::Unknown(UnknownReason::ProcessorError);

    fn answer(status: u16, body: &str) -> Answer {
        super::answer(Ok(WireResponse {
            status,
            body: body.to_owned(),
        }))
    }

    fn done(key: &str) -> String {
        format!(
            r#"{{"key":"{key}","reference":"sim_1","status":"done","amount":5,"currency":"USD","error":null}}"#
        )
    }

    #[test]
    fn statuses_and_bodies_of_an_operation() {
        let refused = r#"{"error":{"code":"DC_08","message":"no"}}"#;
        let table = [
            (200, "<html>", UNREADABLE),
            (200, "{}", UNREADABLE),
            (200, &done("mrk_2"), UNREADABLE),
            (204, "", UNREADABLE),
            (302, "", UNREADABLE),
            (400, "<html>", UNREADABLE),
            (408, "", TROUBLE),
            (404, "not found", UNREADABLE),
            (409, r#"{"error":{"code":"DC_10","message":"no"}}"#, TROUBLE),
            (500, refused, TROUBLE),
            (503, "", TROUBLE),
        ];
        for (status, body, expected) in table {
            let outcome = operation(OperationKind::Capture, KEY, answer(status, body));
            assert_eq!(outcome, expected, "{status} {body}");
        }
        let outcome = operation(OperationKind::Capture, KEY, answer(400, refused));
        assert!(matches!(outcome, Outcome::Declined(decline) if decline.code == "DC_08"));
        let outcome = operation(OperationKind::Capture, KEY, answer(429, ""));
        assert!(matches!(outcome, Outcome::NeverHappened { .. }));
        let outcome = operation(OperationKind::Capture, KEY, answer(200, &done(KEY)));
        assert!(matches!(outcome, Outcome::Done(done) if done.amount_minor == Some(5)));
    }

    #[test]
    fn a_look_up_that_fails_says_nothing_about_the_operation() {
        let missing = r#"{"error":{"code":"DC_01","message":"nothing"}}"#;
        let of = |answer| match look_up(OperationKind::Authorize, KEY, answer) {
            Finding::Outcome(outcome) => outcome,
            absent @ Finding::Absent { .. } => panic!("{absent:?}"),
        };
        assert_eq!(of(answer(404, "<html>")), UNREADABLE);
        let no_route = r#"{"error":{"code":"DC_12","message":"nothing"}}"#;
        assert_eq!(of(answer(404, no_route)), UNREADABLE);
        assert_eq!(of(answer(400, missing)), UNREADABLE);
        assert_eq!(
            of(answer(401, r#"{"error":{"code":"DC_11","message":"no"}}"#)),
            UNREADABLE
        );
        assert_eq!(of(answer(429, "")), TROUBLE);
        assert_eq!(of(answer(502, missing)), TROUBLE);
        let found = look_up(OperationKind::Authorize, KEY, answer(404, missing));
        assert!(matches!(found, Finding::Absent { .. }), "{found:?}");
    }

    #[test]
    fn refunds_have_a_word_of_their_own_for_what_is_not_there() {
        let missing = |code: &str| {
            let body = format!(r#"{{"error":{{"code":"{code}","message":"nothing"}}}}"#);
            answer(404, &body)
        };
        for kind in OperationKind::ALL {
            let (own, other) = match kind {
                OperationKind::Authorize
                | OperationKind::Increment
                | OperationKind::Capture
                | OperationKind::Void => ("DC_01", "DC_05"),
                OperationKind::Refund => ("DC_05", "DC_01"),
            };
            let found = look_up(*kind, KEY, missing(own));
            assert!(matches!(found, Finding::Absent { .. }), "{kind}");
            let found = look_up(*kind, KEY, missing(other));
            assert_eq!(found, Finding::Outcome(UNREADABLE), "{kind}");
        }
    }

    #[test]
    fn an_answer_without_what_its_status_promises_is_unreadable() {
        for status in [
            "approved",
            "awaiting_customer",
            "awaiting_device_data",
            "declined",
            "cancelled",
            "astonished",
        ] {
            let body = format!(
                r#"{{"key":"{KEY}","reference":"sim_1","status":"{status}","amount":5,"approved_amount":null,
                "currency":"USD","redirect_url":null,"error":null}}"#
            );
            let outcome = operation(OperationKind::Authorize, KEY, answer(200, &body));
            assert_eq!(outcome, UNREADABLE, "{status}");
        }
    }
}
