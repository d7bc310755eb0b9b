//! Tests of failed requests.

use multirail_sdk::connector::{AccountCheck, Outcome};
use serde_json::json;

use super::super::{errors, map};
use super::{KEY, PSP};
use crate::fixture::{answer, answer_with};
use crate::outcome::of_check;

fn error(code: &str, message: &str, kind: &str) -> String {
    json!({ "status": 0, "errorCode": code, "message": message, "errorType": kind }).to_string()
}

fn in_short(outcome: Outcome) -> String {
    match outcome {
        Outcome::Declined(decline) => {
            let reason = decline.reason.unwrap_or_default();
            format!(
                "declined: {} | {} | {reason}",
                decline.code, decline.message
            )
        }
        Outcome::NeverHappened { reason, .. } => format!("never happened: {reason}"),
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
        Outcome::Done(_)
        | Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. }
        | Outcome::Pending { .. } => {
            panic!("{outcome:?}")
        }
    }
}

#[test]
fn a_refused_request_and_a_failure_differ() {
    let rows = [
        (422, error("101", "Invalid card number", "validation")),
        (
            422,
            error(
                "704",
                "request already processed or in progress",
                "validation",
            ),
        ),
        (
            422,
            error("905", "Payment details are not supported", "internal"),
        ),
        (400, error("702", "Unexpected input", "validation")),
        (400, "<html>".to_owned()),
        (
            401,
            error("000", "HTTP Status Response - Unauthorized", "security"),
        ),
        (403, error("901", "Invalid Merchant Account", "security")),
        (429, String::new()),
        (
            500,
            error("905", "Payment details are not supported", "configuration"),
        ),
        (500, error("999", "Something went wrong", "internal")),
        (503, "<html>".to_owned()),
    ];
    let told: Vec<String> = rows
        .into_iter()
        .map(|(status, body)| {
            let code = body.chars().skip(25).take(3).collect::<String>();
            let outcome = map::payment(KEY, answer(status, body));
            format!("{status} {code} -> {}", in_short(outcome))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    422 101 -> declined: 101 | Invalid card number | 
    422 704 -> unknown: processor_error
    422 905 -> unknown: processor_error
    400 702 -> declined: 702 | Unexpected input | 
    400  -> unknown: unreadable_answer
    401 000 -> declined: credentials_refused | the processor refuses the credentials of this account (401) | 000: HTTP Status Response - Unauthorized
    403 901 -> declined: credentials_refused | the processor refuses the credentials of this account (403) | 901: Invalid Merchant Account
    429  -> never happened: the processor takes no more requests for now
    500 905 -> declined: 905 | Payment details are not supported | 
    500 999 -> unknown: processor_error
    503  -> unknown: processor_error
    ");
}

/// With any status and text: the request is to be repeated, and its outcome is unknown.
#[test]
fn an_answer_that_asks_for_a_repeat_leaves_the_outcome_open() {
    let rows = [
        (500, error("905", "No connection available", "internal")),
        (
            500,
            error("905_1", "Could not find an acquirer", "configuration"),
        ),
        (422, error("101", "Invalid card number", "validation")),
        (
            401,
            error("000", "HTTP Status Response - Unauthorized", "security"),
        ),
        (429, "{}".to_owned()),
        (503, "<html>".to_owned()),
    ];
    let mut told = Vec::new();
    for (status, body) in rows {
        for header in ["true", "false"] {
            let answer = || answer_with(status, &[("transient-error", header)], &body);
            let paid = in_short(map::payment(KEY, answer()));
            let refunded = in_short(map::modification(KEY, Some(PSP), answer()));
            assert_eq!(paid, refunded);
            told.push(format!("{status} {header} -> {paid}"));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @"
    500 true -> unknown: processor_error
    500 false -> unknown: processor_error
    500 true -> unknown: processor_error
    500 false -> declined: 905_1 | Could not find an acquirer | 
    422 true -> unknown: processor_error
    422 false -> declined: 101 | Invalid card number | 
    401 true -> unknown: processor_error
    401 false -> declined: credentials_refused | the processor refuses the credentials of this account (401) | 000: HTTP Status Response - Unauthorized
    429 true -> unknown: processor_error
    429 false -> never happened: the processor takes no more requests for now
    503 true -> unknown: processor_error
    503 false -> unknown: processor_error
    ");
}

#[test]
fn credentials_are_accepted_or_refused() {
    let checked = |status, body: String| of_check(answer(status, body), errors::of_request);
    assert_eq!(
        checked(200, r#"{"paymentMethods":[]}"#.to_owned()),
        AccountCheck::Accepted
    );
    let refusals = [
        checked(
            401,
            error("000", "HTTP Status Response - Unauthorized", "security"),
        ),
        checked(403, error("901", "Invalid Merchant Account", "security")),
        checked(401, String::new()),
        checked(422, error("901", "Invalid Merchant Account", "validation")),
        checked(404, "<html>".to_owned()),
        checked(503, String::new()),
    ];
    insta::assert_debug_snapshot!(refusals, @r#"
    [
        Refused {
            message: "000: HTTP Status Response - Unauthorized",
        },
        Refused {
            message: "901: Invalid Merchant Account",
        },
        Refused {
            message: "the processor refuses the credentials of this account (401)",
        },
        Refused {
            message: "901: Invalid Merchant Account",
        },
        NotKnown(
            UnreadableAnswer,
        ),
        NotKnown(
            ProcessorError,
        ),
    ]
    "#);
}
