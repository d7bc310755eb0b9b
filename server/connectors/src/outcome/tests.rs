use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_sdk::connector::Approval;

use super::*;
use crate::client::NotSent;

fn answer(status: u16, body: &str) -> Answer {
    let retry_after = HeaderName::from_static("retry-after");
    Ok(WireAnswer {
        status,
        headers: HeaderMap::from_iter([(retry_after, HeaderValue::from_static("7"))]),
        body: body.as_bytes().to_vec(),
    })
}

/// A processor whose language has only these two words.
fn understood(answer: &WireAnswer) -> Option<Outcome> {
    match answer.body.as_slice() {
        b"yes" => Some(Outcome::Done(Approval::default())),
        b"no" => Some(Outcome::Declined(Decline {
            code: "51".to_owned(),
            message: "no".to_owned(),
            ..Decline::default()
        })),
        _ => None,
    }
}

fn found(answer: &WireAnswer) -> Option<Finding> {
    match answer.body.as_slice() {
        b"nothing" => Some(Finding::Absent {
            reason: "nothing".to_owned(),
        }),
        _ => understood(answer).map(Finding::Outcome),
    }
}

const ERRORS: [TransportError; 5] = [
    TransportError::NotSent(NotSent::NoConnection),
    TransportError::NotSent(NotSent::AccountBusy),
    TransportError::Broken,
    TransportError::TimedOut,
    TransportError::TooLong,
];

fn in_short(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done(_) => "done".to_owned(),
        Outcome::CustomerMustAct { .. } | Outcome::DeviceDataNeeded { .. } => {
            "customer must act".to_owned()
        }
        Outcome::Declined(decline) => match decline.reason {
            Some(reason) => format!("{} ({reason})", decline.code),
            None => decline.code,
        },
        Outcome::Pending { .. } => "pending".to_owned(),
        Outcome::NeverHappened { reason, .. } => format!("never: {reason}"),
        Outcome::Unknown(reason) => reason.to_string(),
    }
}

fn found_in_short(finding: Finding) -> String {
    match finding {
        Finding::Outcome(outcome) => in_short(outcome),
        Finding::Absent { .. } => "absent".to_owned(),
    }
}

#[test]
fn outcomes_of_operations() {
    let mut rows = Vec::new();
    for error in ERRORS {
        let outcome = of_operation(Err(error), |_| panic!("there is no answer"));
        rows.push(in_short(outcome));
    }
    let statuses = [
        200, 204, 302, 400, 401, 402, 403, 404, 408, 409, 429, 500, 503, 600,
    ];
    for status in statuses {
        let outcome = |body| in_short(of_operation(answer(status, body), understood));
        let row = ["yes", "no", "<html>"].map(outcome).join(" | ");
        rows.push(format!("{status}: {row}"));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    never: the processor can't be reached: there was no connection
    never: too many calls of this account are under way
    connection_lost
    timeout
    unreadable_answer
    200: done | 51 | unreadable_answer
    204: done | 51 | unreadable_answer
    302: unreadable_answer | unreadable_answer | unreadable_answer
    400: done | 51 | unreadable_answer
    401: credentials_refused | credentials_refused (51: no) | credentials_refused
    402: done | 51 | unreadable_answer
    403: credentials_refused | credentials_refused (51: no) | credentials_refused
    404: done | 51 | unreadable_answer
    408: processor_error | processor_error | processor_error
    409: done | 51 | unreadable_answer
    429: never: the processor takes no more requests for 7 seconds | never: the processor takes no more requests for 7 seconds | never: the processor takes no more requests for 7 seconds
    500: processor_error | processor_error | processor_error
    503: processor_error | processor_error | processor_error
    600: unreadable_answer | unreadable_answer | unreadable_answer
    ");
}

#[test]
fn verdicts_on_credentials() {
    let mut rows = Vec::new();
    for error in ERRORS {
        let check = of_check(Err(error), |_| panic!("there is no answer"));
        rows.push(format!("{check:?}"));
    }
    for status in [200, 302, 400, 401, 403, 408, 429, 500] {
        let check = |body| match of_check(answer(status, body), understood) {
            AccountCheck::Accepted => "accepted".to_owned(),
            AccountCheck::Refused { message } => message,
            AccountCheck::NotKnown(reason) => reason.to_string(),
        };
        let row = ["{}", "no", "<html>"].map(check).join(" | ");
        rows.push(format!("{status}: {row}"));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    NotKnown(ConnectionLost)
    NotKnown(ConnectionLost)
    NotKnown(ConnectionLost)
    NotKnown(Timeout)
    NotKnown(UnreadableAnswer)
    200: accepted | unreadable_answer | unreadable_answer
    302: unreadable_answer | unreadable_answer | unreadable_answer
    400: unreadable_answer | 51: no | unreadable_answer
    401: the processor refuses the credentials of this account (401) | 51: no | the processor refuses the credentials of this account (401)
    403: the processor refuses the credentials of this account (403) | 51: no | the processor refuses the credentials of this account (403)
    408: processor_error | processor_error | processor_error
    429: processor_error | processor_error | processor_error
    500: processor_error | processor_error | processor_error
    ");
}

#[test]
fn a_look_up_that_fails_says_nothing() {
    let mut rows = Vec::new();
    for error in ERRORS {
        let finding = of_look_up(Err(error), |_| panic!("there is no answer"));
        rows.push(found_in_short(finding));
    }
    for status in [200, 302, 400, 401, 403, 404, 408, 429, 500] {
        let finding = |body| found_in_short(of_look_up(answer(status, body), found));
        let row = ["yes", "no", "nothing", "<html>"].map(finding).join(" | ");
        rows.push(format!("{status}: {row}"));
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    connection_lost
    connection_lost
    connection_lost
    timeout
    unreadable_answer
    200: done | 51 | absent | unreadable_answer
    302: unreadable_answer | unreadable_answer | unreadable_answer | unreadable_answer
    400: unreadable_answer | unreadable_answer | unreadable_answer | unreadable_answer
    401: unreadable_answer | unreadable_answer | unreadable_answer | unreadable_answer
    403: unreadable_answer | unreadable_answer | unreadable_answer | unreadable_answer
    404: done | 51 | absent | unreadable_answer
    408: processor_error | processor_error | processor_error | processor_error
    429: processor_error | processor_error | processor_error | processor_error
    500: processor_error | processor_error | processor_error | processor_error
    ");
}
