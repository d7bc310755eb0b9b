//! Tests of answers about disputes.

use multirail_sdk::connector::UnknownReason;
use serde_json::{Value, json};

use super::super::disputes;
use crate::client::TransportError;
use crate::fixture::in_short;
use crate::wire::WireAnswer;

fn answer(status: u16, body: &Value) -> WireAnswer {
    WireAnswer {
        status,
        headers: http::HeaderMap::new(),
        body: body.to_string().into_bytes(),
    }
}

fn dispute(status: &str) -> Value {
    json!({"id": "du_1", "object": "dispute", "amount": 6540, "currency": "usd", "payment_intent": "pi_1",
        "status": status, "reason": "fraudulent", "network_reason_code": "10.4", "created": 1_767_268_800,
        "evidence_details": {"due_by": null}})
}

#[test]
fn giving_in_is_done_when_the_dispute_is_lost() {
    let read = |status, body: Value| match disputes::closed(&answer(status, &body)) {
        Some(outcome) => in_short(&outcome),
        None => "not read".to_owned(),
    };
    let refused = json!({"error": {"type": "invalid_request_error", "code": "dispute_already_closed",
        "message": "This dispute is closed."}});
    let lines = [
        read(200, dispute("lost")),
        read(200, dispute("warning_closed")),
        read(200, dispute("under_review")),
        read(200, json!({"object": "dispute"})),
        read(400, refused),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    done - - - -
    not read
    not read
    not read
    declined dispute_already_closed | This dispute is closed. | - | integration_issue
    ");
}

#[test]
fn a_question_is_answered_by_how_the_dispute_stands() {
    let found = |status, body| disputes::found(Ok(answer(status, &body)));
    insta::assert_debug_snapshot!(found(200, dispute("needs_response")), @r#"
    Ok(
        DisputeNews {
            reference: "du_1",
            authorization_reference: Some(
                "pi_1",
            ),
            authorization_key: None,
            stage: Dispute,
            status: Opened,
            processor_status: "needs_response",
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
            challenge_required_by: None,
            opened_at: Some(
                Timestamp(
                    1767268800000000,
                ),
            ),
            updated_at: None,
        },
    )
    "#);
    let unreadable = Err(UnknownReason::UnreadableAnswer);
    assert_eq!(found(200, dispute("a_word_of_later")), unreadable);
    assert_eq!(found(404, json!({})), unreadable);
    assert_eq!(
        disputes::found(Err(TransportError::TimedOut)),
        Err(UnknownReason::Timeout)
    );
}
