//! Tests of events.

use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{RawNotice, Unreadable};
use serde_json::{Value, json};

use super::super::notices;
use super::{KEY, PAYMENT, REFERENCE};
use crate::fixture::notices_in_short;
use crate::notices::is_body_signed;

fn raw(signature: &str, body: impl ToString) -> RawNotice {
    RawNotice {
        headers: vec![("cko-signature".to_owned(), signature.to_owned())],
        body: body.to_string().into_bytes(),
    }
}

fn event(kind: &str, data: Value) -> Value {
    json!({ "id": "evt_1", "type": kind, "version": "1.0.29",
        "created_on": "2026-05-22T11:55:25.0077892Z", "data": data })
}

/// Summarizes an event about 65.40 dollars, with `changes` applied to its data.
pub fn read_event(kind: &str, changes: Value) -> String {
    let mut data = json!({ "id": PAYMENT, "action_id": "act_2", "reference": REFERENCE, "amount": 6540,
        "currency": "USD", "response_code": "10000", "response_summary": "Approved" });
    let changes = changes.as_object().expect("an object").clone();
    data.as_object_mut().expect("an object").extend(changes);
    let read = notices::read(&raw("", event(kind, data)));
    read.map_or("unreadable".to_owned(), notices_in_short)
}

#[test]
fn an_event_is_signed_over_its_bytes_by_one_of_the_secrets() {
    let body = r#"{"id":"evt_1"}"#;
    let signature = "38cd670062c64542e5859be389b405eba4a424cfbc6b1facb4577f541af1aef7";
    let secrets = |merchant: &str, additional: Option<&str>| WebhookSecrets {
        merchant_secret: SecretText::new(merchant),
        additional_secret: additional.map(SecretText::new),
        unread: UnreadMembers::default(),
    };
    let is_signed = |signature: &str, body: &str, own: Option<&WebhookSecrets>| {
        is_body_signed(&raw(signature, body), notices::SIGNATURE, own)
    };
    let own = secrets("multirail", None);
    let later = secrets("next", Some("multirail"));
    assert!(is_signed(signature, body, Some(&own)));
    assert!(is_signed(&signature.to_uppercase(), body, Some(&own)));
    assert!(
        is_signed(signature, body, Some(&later)),
        "while it is changed"
    );
    assert!(!is_signed(signature, body, Some(&secrets("next", None))));
    assert!(!is_signed(signature, body, None));
    assert!(!is_signed(signature, r#"{"id":"evt_2"}"#, Some(&own)));
    for other in ["", "00", &signature[..62], "no digits"] {
        assert!(!is_signed(other, body, Some(&own)), "{other}");
    }
    let nameless = RawNotice {
        headers: Vec::new(),
        ..raw("", body)
    };
    assert!(!is_body_signed(&nameless, notices::SIGNATURE, Some(&own)));
}

#[test]
fn events_of_payments() {
    let ours = json!({ "metadata": { "multirail_key": KEY } });
    let with = |changes: Value| {
        let mut whole = ours.clone();
        let changes = changes.as_object().expect("an object").clone();
        whole.as_object_mut().expect("an object").extend(changes);
        whole
    };
    let no = json!({ "response_code": "20051", "response_summary": "Insufficient Funds" });
    let lines = [
        read_event(
            "payment_approved",
            with(json!({ "scheme_id": "638", "source": { "cvv_check": "Y" } })),
        ),
        read_event("payment_approved", with(json!({ "currency": "CLP" }))),
        read_event("payment_declined", with(no.clone())),
        read_event("card_verified", with(json!({ "amount": 0 }))),
        read_event("card_verification_declined", with(no)),
        read_event("payment_pending", ours.clone()),
        read_event(
            "payment_authentication_failed",
            with(json!({ "response_code": "20151" })),
        ),
        read_event("payment_expired", ours.clone()),
        read_event("payment_canceled", ours.clone()),
        // Another user's payment, and one with our key but another reference.
        read_event(
            "payment_approved",
            json!({ "metadata": { "partner_id": 123_989 } }),
        ),
        read_event("payment_approved", json!({ "metadata": null })),
        read_event(
            "payment_approved",
            with(json!({ "reference": "ORD-5023-4E89" })),
        ),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    evt_1 payment_approved: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: done pay_y3oqhf46pyzuxjbcn2giaqnb44 6540 USD 638 | address - code M
    unreadable
    evt_1 payment_declined: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 20051 | Insufficient Funds | - | insufficient_funds
    evt_1 card_verified: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: done pay_y3oqhf46pyzuxjbcn2giaqnb44 0 USD -
    evt_1 card_verification_declined: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 20051 | Insufficient Funds | - | insufficient_funds
    evt_1 payment_pending: nothing
    evt_1 payment_authentication_failed: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: ask
    evt_1 payment_expired: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined expired | the payment is expired at the processor | - | payment_session_timeout | authorization gone
    evt_1 payment_canceled: authorize mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ pay_y3oqhf46pyzuxjbcn2giaqnb44 pay_y3oqhf46pyzuxjbcn2giaqnb44: ask
    evt_1 payment_approved: nothing
    evt_1 payment_approved: nothing
    evt_1 payment_approved: nothing
    ");
}

#[test]
fn events_of_changes() {
    let of = |member: &str| json!({ "metadata": { member: KEY } });
    let lines = [
        read_event("payment_captured", of("multirail_capture")),
        read_event("payment_capture_declined", of("multirail_capture")),
        read_event("payment_capture_pending", of("multirail_capture")),
        read_event("payment_voided", of("multirail_void")),
        read_event("payment_void_declined", of("multirail_void")),
        read_event("payment_refunded", of("multirail_refund")),
        read_event("payment_refund_declined", of("multirail_refund")),
        read_event("payment_refund_pending", of("multirail_refund")),
        // A reversal.
        read_event("payment_refunded", of("multirail_void")),
        // The capture that the payment includes.
        read_event("payment_captured", of("multirail_key")),
        read_event("payment_capture_declined", of("multirail_key")),
        // A refund by hand, and one with another reference.
        read_event("payment_refunded", json!({ "reference": "by hand" })),
        read_event(
            "payment_captured",
            json!({ "metadata": { "multirail_capture": KEY }, "reference": "ORD-5023-4E89" }),
        ),
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
    evt_1 payment_void_declined: void mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 10000 | Approved | -
    evt_1 payment_refunded: refund mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: done act_2 6540 USD -
    evt_1 payment_refund_declined: refund mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ act_2 pay_y3oqhf46pyzuxjbcn2giaqnb44: declined 10000 | Approved | -
    evt_1 payment_refund_pending: nothing
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
        assert_eq!(
            read_event(kind, json!({})),
            format!("evt_1 {kind}: nothing")
        );
    }
    let other = event("dispute_received", json!({ "id": "dsp_1" }));
    assert!(notices::read(&raw("", other)).is_ok());
    for body in [
        "",
        "[]",
        r#"{"id":"evt_1","type":"payment_approved","data":{}}"#,
    ] {
        assert_eq!(notices::read(&raw("", body)), Err(Unreadable), "{body}");
    }
}

#[test]
fn it_happened_when_the_event_says() {
    let moment = |event: Value| {
        let read = notices::read(&raw("", event)).expect("readable");
        read[0].happened_at.map(Timestamp::unix_seconds)
    };
    let mut one = event("dispute_received", json!({}));
    assert_eq!(moment(one.clone()), Some(1_779_450_925));
    let date = one["created_on"].take();
    one["timestamp"] = date;
    assert_eq!(moment(one.clone()), Some(1_779_450_925));
    one["timestamp"] = json!("yesterday");
    assert_eq!(moment(one), None);
}
