//! Tests of events. `means.yaml` says what each word means.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{RawNotice, Unreadable};
use serde_json::{Value, json};

use super::super::notices;
use super::{KEY, PAYMENT, REFERENCE};
use crate::fixture::{changed, notices_in_short};

fn raw(body: impl ToString) -> RawNotice {
    RawNotice {
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    }
}

fn event(kind: &str, data: Value) -> Value {
    json!({ "id": "evt_1", "type": kind, "version": "1.0.29",
        "created_on": "2026-05-22T11:55:25.0077892Z", "data": data })
}

/// Summarizes an event about 65.40 dollars, with `changes` applied to its data.
pub fn read_event(kind: &str, changes: Value) -> String {
    let data = json!({ "id": PAYMENT, "action_id": "act_2", "reference": REFERENCE, "amount": 6540,
        "currency": "USD", "response_code": "10000", "response_summary": "Approved" });
    let read = notices::read(&raw(event(kind, changed(data, changes))));
    read.map_or("unreadable".to_owned(), notices_in_short)
}

#[test]
fn events_of_payments() {
    let told = |kind: &str, changes: Value| {
        let ours = json!({ "metadata": { "multirail_key": KEY } });
        read_event(kind, changed(ours, changes))
    };
    let lines = [
        told(
            "payment_approved",
            json!({ "scheme_id": "638", "source": { "cvv_check": "Y" } }),
        ),
        told("payment_approved", json!({ "currency": "CLP" })),
        told(
            "payment_declined",
            json!({ "response_code": "20051", "response_summary": "Insufficient Funds" }),
        ),
        told("payment_pending", json!({})),
        told("payment_expired", json!({})),
        told("payment_canceled", json!({})),
        // Another user's payment, and one with our key but another reference.
        told(
            "payment_approved",
            json!({ "metadata": { "partner_id": 123_989 } }),
        ),
        told("payment_approved", json!({ "metadata": null })),
        told("payment_approved", json!({ "reference": "ORD-5023-4E89" })),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    evt_1 payment_approved: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD 638 | address - code M
    unreadable
    evt_1 payment_declined: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 20051 | Insufficient Funds | - | insufficient_funds
    evt_1 payment_pending: nothing
    evt_1 payment_expired: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined expired | the payment is expired at the processor | - | payment_session_timeout | authorization gone
    evt_1 payment_canceled: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: ask
    evt_1 payment_approved: nothing
    evt_1 payment_approved: nothing
    evt_1 payment_approved: nothing
    ");
}

#[test]
fn events_of_changes() {
    let told = |kind: &str, member: &str| read_event(kind, json!({ "metadata": { member: KEY } }));
    let another = json!({ "metadata": { "multirail_capture": KEY }, "reference": "ORD-5023-4E89" });
    let lines = [
        told("payment_captured", "multirail_capture"),
        told("payment_capture_declined", "multirail_capture"),
        told("payment_capture_pending", "multirail_capture"),
        told("payment_voided", "multirail_void"),
        told("payment_refunded", "multirail_refund"),
        told("payment_refund_declined", "multirail_refund"),
        // A reversal.
        told("payment_refunded", "multirail_void"),
        // The capture that the payment includes.
        told("payment_captured", "multirail_key"),
        told("payment_capture_declined", "multirail_key"),
        // A refund by hand, and changes with another reference.
        read_event("payment_refunded", json!({ "reference": "by hand" })),
        read_event("payment_captured", another),
        read_event(
            "payment_voided",
            json!({ "reference": null, "action_id": null }),
        ),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    evt_1 payment_captured: capture mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_capture_declined: capture mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 10000 | Approved | - | takes back
    evt_1 payment_capture_pending: nothing
    evt_1 payment_voided: void mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 - - -
    evt_1 payment_refunded: refund mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_refund_declined: refund mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 10000 | Approved | -
    evt_1 payment_refunded: void mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 - - -
    evt_1 payment_captured: capture - act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_capture_declined: capture - act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 10000 | Approved | -
    evt_1 payment_refunded: refund - act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_captured: capture - act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_voided: void - - pay_y3oqhf46pyzuxjbcn2giaqnb44: done - - - -
    ");
}

#[test]
fn other_events_tell_nothing_and_nonsense_is_unreadable() {
    for kind in ["dispute_received", "payment_paid", "of_a_later_time"] {
        let told = read_event(kind, json!({}));
        assert_eq!(told, format!("evt_1 {kind}: nothing"));
    }
    let bare = r#"{"id":"evt_1","type":"payment_approved","data":{}}"#;
    for body in ["", "[]", bare] {
        assert_eq!(notices::read(&raw(body)), Err(Unreadable), "{body}");
    }
}

#[test]
fn it_happened_when_the_event_says() {
    let moment = |changes: Value| {
        let event = changed(event("dispute_received", json!({ "id": "dsp_1" })), changes);
        let read = notices::read(&raw(event)).expect("readable");
        read[0].happened_at.map(Timestamp::unix_seconds)
    };
    let date = "2026-05-22T11:55:25.0077892Z";
    assert_eq!(moment(json!({})), Some(1_779_450_925));
    let other = json!({ "created_on": null, "timestamp": date });
    assert_eq!(moment(other), Some(1_779_450_925));
    let wrong = json!({ "created_on": null, "timestamp": "yesterday" });
    assert_eq!(moment(wrong), None);
}
