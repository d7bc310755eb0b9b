//! Tests of events and answers about disputes. `means.yaml` says what each word means.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::UnknownReason;
use serde_json::{Value, json};

use super::super::disputes;
use super::PAYMENT;
use super::notices::read_event;
use crate::fixture::{answer, changed, dispute_in_short};

#[test]
fn events_tell_how_disputes_stand() {
    let told = |event: &str| {
        let data = json!({
            "id": "dsp_1", "date": "2026-01-31T12:00:00Z", "category": "fraudulent", "amount": 6540, "currency": "USD",
            "reason_code": "10.4", "payment_id": PAYMENT, "payment_action_id": "act_1",
            "evidence_required_by": "2026-02-20T00:00:00Z",
        });
        read_event(event, data)
    };
    let events = [
        "dispute_evidence_required",
        "dispute_arbitration_won",
        "dispute_of_later",
    ];
    insta::assert_snapshot!(events.map(told).join("\n"), @"
    evt_1 dispute_evidence_required: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_opened, 65.40 USD, by 1771545600
    evt_1 dispute_arbitration_won: dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: arbitration dispute_won, 65.40 USD, by 1771545600
    evt_1 dispute_of_later: nothing
    ");
}

#[test]
fn a_question_is_answered_by_how_the_dispute_stands() {
    let found = |changes: Value| {
        let dispute = json!({
            "id": "dsp_1", "category": "fraudulent", "amount": 6540, "currency": "USD", "reason_code": "10.4",
            "status": "evidence_required", "evidence_required_by": "2026-02-20T00:00:00Z",
            "received_on": "2026-01-31T12:00:00.1234567Z", "last_update": "2026-02-01T12:00:00Z",
            "payment": { "id": PAYMENT },
        });
        disputes::found("dsp_1", answer(200, changed(dispute, changes)))
    };
    let open = found(json!({})).expect("a state");
    insta::assert_snapshot!(dispute_in_short(&open), @"dsp_1 of pay_y3oqhf46pyzuxjbcn2giaqnb44: dispute dispute_opened, 65.40 USD, by 1771545600");
    assert_eq!(open.processor_status, "evidence_required");
    assert_eq!(open.reason.as_deref(), Some("fraudulent"));
    assert_eq!(open.reason_code.as_deref(), Some("10.4"));
    let moments = [open.opened_at, open.updated_at];
    let moments = moments.map(|moment| moment.map_or(0, Timestamp::unix_seconds));
    assert_eq!(moments, [1_769_860_800, 1_769_947_200]);
    let unreadable = Err(UnknownReason::UnreadableAnswer);
    assert_eq!(found(json!({ "status": "of_later" })), unreadable);
    assert_eq!(found(json!({ "id": "dsp_2" })), unreadable, "another's");
}
