//! Tests of events and answers about disputes.

use http::{HeaderMap, HeaderValue};
use multirail_sdk::connector::UnknownReason;
use serde_json::{Value, json};

use super::super::disputes;
use super::PAYMENT;
use super::notices::read_event;
use crate::client::TransportError;
use crate::fixture::in_short;
use crate::wire::WireAnswer;

fn dispute(status: &str) -> Value {
    json!({
        "id": "dsp_1", "category": "fraudulent", "amount": 6540, "currency": "USD", "reason_code": "10.4",
        "status": status, "evidence_required_by": "2026-02-20T00:00:00Z", "received_on": "2026-01-31T12:00:00.1234567Z",
        "last_update": "2026-02-01T12:00:00Z", "payment": { "id": PAYMENT },
    })
}

fn answer(status: u16, body: &str) -> WireAnswer {
    let number = ("cko-request-id", HeaderValue::from_static("0HL80RJLS76I7"));
    WireAnswer {
        status,
        headers: HeaderMap::from_iter([(http::HeaderName::from_static(number.0), number.1)]),
        body: body.as_bytes().to_vec(),
    }
}

#[test]
fn events_tell_how_disputes_stand() {
    let told = |event: &str| {
        read_event(
            event,
            json!({
                "id": "dsp_1", "date": "2026-01-31T12:00:00Z", "category": "fraudulent", "amount": 6540, "currency": "USD",
                "reason_code": "10.4", "payment_id": PAYMENT, "payment_action_id": "act_1",
                "evidence_required_by": "2026-02-20T00:00:00Z",
            }),
        )
    };
    let lines = [
        "dispute_evidence_required",
        "dispute_evidence_submitted",
        "dispute_evidence_acknowledged_by_scheme",
        "dispute_accepted",
        "dispute_canceled",
        "dispute_expired",
        "dispute_resolved",
        "dispute_won",
        "dispute_lost",
        "dispute_arbitration_sent_to_scheme",
        "dispute_arbitration_won",
        "dispute_arbitration_lost",
        "dispute_of_later",
    ]
    .map(told);
    insta::assert_snapshot!(lines.join("\n"), @"
    evt_1 dispute_evidence_required: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_opened, 65.40 USD, by 1771545600
    evt_1 dispute_evidence_submitted: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_challenged, 65.40 USD, by 1771545600
    evt_1 dispute_evidence_acknowledged_by_scheme: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_challenged, 65.40 USD, by 1771545600
    evt_1 dispute_accepted: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_accepted, 65.40 USD, by 1771545600
    evt_1 dispute_canceled: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_cancelled, 65.40 USD, by 1771545600
    evt_1 dispute_expired: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_expired, 65.40 USD, by 1771545600
    evt_1 dispute_resolved: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_cancelled, 65.40 USD, by 1771545600
    evt_1 dispute_won: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_won, 65.40 USD, by 1771545600
    evt_1 dispute_lost: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_lost, 65.40 USD, by 1771545600
    evt_1 dispute_arbitration_sent_to_scheme: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: arbitration dispute_challenged, 65.40 USD, by 1771545600
    evt_1 dispute_arbitration_won: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: arbitration dispute_won, 65.40 USD, by 1771545600
    evt_1 dispute_arbitration_lost: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: arbitration dispute_lost, 65.40 USD, by 1771545600
    evt_1 dispute_of_later: nothing
    ");
}

#[test]
fn giving_in_is_done_when_nothing_is_answered() {
    let read = |answer| in_short(&disputes::accepted(answer));
    let invalid = r#"{"request_id": "1", "error_type": "request_invalid", "error_codes": ["dispute_not_open"]}"#;
    let elsewhere = WireAnswer {
        headers: HeaderMap::new(),
        ..answer(404, "")
    };
    let lines = [
        read(Ok(answer(204, ""))),
        read(Ok(answer(200, "<html>"))),
        read(Ok(answer(404, ""))),
        read(Ok(elsewhere)),
        read(Ok(answer(422, invalid))),
        read(Ok(answer(401, ""))),
        read(Err(TransportError::Broken)),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    done - - - -
    unknown: unreadable_answer
    declined dispute_not_found | the processor knows no such dispute | - | invalid_state
    unknown: unreadable_answer
    declined dispute_not_open | the processor refuses the request: dispute_not_open | request_invalid | missing_or_invalid_param
    declined credentials_refused | the processor refuses the credentials of this account (401) | - | invalid_credentials
    unknown: connection_lost
    ");
}

#[test]
fn a_question_is_answered_by_how_the_dispute_stands() {
    let found =
        |status, body: Value| disputes::found("dsp_1", Ok(answer(status, &body.to_string())));
    insta::assert_debug_snapshot!(found(200, dispute("evidence_required")), @r#"
    Ok(
        DisputeNews {
            reference: "dsp_1",
            authorization_reference: Some(
                "pay_y3oqhf46pyzuxjbcn2giaqnb44",
            ),
            authorization_key: None,
            stage: Dispute,
            status: Opened,
            processor_status: "evidence_required",
            rank: 0,
            money: Money {
                amount_minor: 6540,
                currency: USD,
            },
            reason: Some(
                "fraudulent",
            ),
            reason_code: Some(
                "10.4",
            ),
            challenge_required_by: Some(
                Timestamp(
                    1771545600000000,
                ),
            ),
            opened_at: Some(
                Timestamp(
                    1769860800123456,
                ),
            ),
            updated_at: Some(
                Timestamp(
                    1769947200000000,
                ),
            ),
        },
    )
    "#);
    let stands = |word: &str| match found(200, dispute(word)) {
        Ok(news) => format!("{word}: {} {}", news.stage, news.status),
        Err(reason) => format!("{word}: {reason}"),
    };
    let lines = [
        "resolved",
        "arb_evidence_submitted",
        "arbitration_lost",
        "of_later",
    ]
    .map(stands);
    insta::assert_snapshot!(lines.join("\n"), @"
    resolved: dispute dispute_cancelled
    arb_evidence_submitted: arbitration dispute_challenged
    arbitration_lost: arbitration dispute_lost
    of_later: unreadable_answer
    ");
    let unreadable = Err(UnknownReason::UnreadableAnswer);
    assert_eq!(found(404, json!({})), unreadable);
    let mut other = dispute("won");
    other["id"] = "dsp_2".into();
    assert_eq!(found(200, other), unreadable, "another dispute's");
}
