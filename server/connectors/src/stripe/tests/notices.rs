use hmac::{Hmac, Mac};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{Notice, RawNotice, Unreadable};
use serde_json::{Value, json};
use sha2::Sha256;

use super::super::notices;
use super::{KEY, payment};
use crate::fixture::{changed, notices_in_short};

const NOW: i64 = 1_767_268_800;

fn secrets(additional: Option<&str>) -> WebhookSecrets {
    WebhookSecrets {
        merchant_secret: SecretText::new("whsec_new"),
        additional_secret: additional.map(SecretText::new),
        unread: UnreadMembers::default(),
    }
}

fn signature(secret: &str, seconds: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(format!("{seconds}.{body}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

fn raw(header: &str, body: &str) -> RawNotice {
    RawNotice {
        headers: vec![("stripe-signature".to_owned(), header.to_owned())],
        body: body.as_bytes().to_vec(),
    }
}

pub(super) fn event(kind: &str, object: Value) -> Value {
    json!({"id": "evt_1", "object": "event", "type": kind, "created": NOW - 2,
        "livemode": false, "data": {"object": object}})
}

/// Signs an event and summarizes each of its notices in a line.
pub(super) fn read_event(event: &Value) -> String {
    read_event_for(None, event)
}

fn read_event_for(account: Option<&str>, event: &Value) -> String {
    let body = event.to_string();
    let header = format!("t={NOW},v1={}", signature("whsec_new", NOW, &body));
    let now = Timestamp::EPOCH.plus_seconds(NOW).expect("in range");
    let raw = raw(&header, &body);
    assert!(notices::verify(&raw, Some(&secrets(None)), now));
    let notices = notices::read(&raw, account);
    let notices = notices.expect("a good event");
    let happened_at = |notice: &Notice| notice.happened_at.map(Timestamp::unix_seconds);
    assert!(
        notices
            .iter()
            .all(|notice| happened_at(notice) == Some(NOW - 2))
    );
    notices_in_short(notices)
}

#[test]
fn an_event_is_signed_by_one_of_the_secrets_and_just_now() {
    let body = event("payment_intent.succeeded", payment(json!({}))).to_string();
    let by = |secret: &str| signature(secret, NOW, &body);
    let is_signed = |header: String, secrets: Option<&WebhookSecrets>, now: i64| {
        let now = Timestamp::EPOCH.plus_seconds(now).expect("in range");
        notices::verify(&raw(&header, &body), secrets, now)
    };
    let both = secrets(Some("whsec_old"));
    let one = secrets(None);
    let (new, old) = (by("whsec_new"), by("whsec_old"));
    let header = |signature: &str| format!("t={NOW},v1={signature}");

    assert!(is_signed(header(&new), Some(&one), NOW));
    assert!(is_signed(header(&old), Some(&both), NOW));
    assert!(!is_signed(header(&old), Some(&one), NOW));
    let several = format!("t={NOW}, v0={old}, v1={}, v1={new}", by("other"));
    assert!(is_signed(several, Some(&one), NOW));
    assert!(!is_signed(format!("t={NOW},v0={new}"), Some(&one), NOW));
    assert!(!is_signed(header(&new), None, NOW));

    assert!(is_signed(header(&new), Some(&one), NOW + 300));
    assert!(!is_signed(header(&new), Some(&one), NOW + 301));
    assert!(!is_signed(header(&new), Some(&one), NOW - 301));
    let renewed = format!("t={},v1={new}", NOW + 1_000);
    assert!(!is_signed(renewed, Some(&one), NOW + 1_000));

    for header in [
        "",
        "t=,v1=",
        "v1=00",
        "t=now,v1=00",
        &format!("t={NOW}"),
        "t=-9223372036854775808,v1=00",
    ] {
        assert!(!is_signed(header.to_owned(), Some(&one), NOW), "{header}");
    }
    // Large headers of strangers are not compared.
    let many = format!("t={NOW},{}v1={new}", "v1=00,".repeat(1_000));
    assert!(!is_signed(many, Some(&one), NOW));
    let some = format!("t={NOW},{}v1={new}", "v1=00,".repeat(100));
    assert!(
        is_signed(some, Some(&one), NOW),
        "what can't be one takes no room"
    );
    let empty = WebhookSecrets {
        merchant_secret: SecretText::default(),
        ..one
    };
    assert!(!is_signed(header(&by("")), Some(&empty), NOW));
}

#[test]
fn a_signed_body_without_an_event_is_unreadable() {
    let now = Timestamp::EPOCH.plus_seconds(NOW).expect("in range");
    for body in [
        "",
        "[]",
        r#"{"id":"evt_1"}"#,
        &event("refund.updated", json!({})).to_string(),
    ] {
        let header = format!("t={NOW},v1={}", signature("whsec_new", NOW, body));
        let raw = raw(&header, body);
        assert!(notices::verify(&raw, Some(&secrets(None)), now), "{body}");
        assert_eq!(notices::read(&raw, None), Err(Unreadable), "{body}");
    }
}

#[test]
fn events_of_payments() {
    let error = json!({"type": "card_error", "code": "card_declined", "decline_code": "lost_card", "message": "no"});
    let action = json!({"type": "redirect_to_url", "redirect_to_url": {"url": "https://hooks.stripe.com/1"}});
    let captures =
        json!({"multirail_key": KEY, "mrk_c1": "captured 1000", "mrk_c2": "captured 540"});
    let rows = [
        (
            "payment_intent.created",
            json!({"status": "requires_payment_method"}),
        ),
        ("payment_intent.succeeded", json!({})),
        ("payment_intent.succeeded", json!({"metadata": {}})),
        (
            "payment_intent.amount_capturable_updated",
            json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0}),
        ),
        (
            "payment_intent.succeeded",
            json!({"capture_method": "manual", "amount_received": 1540, "metadata": captures}),
        ),
        (
            "payment_intent.amount_capturable_updated",
            json!({"status": "requires_capture", "capture_method": "manual", "amount_received": 0, "amount": 9000,
                "metadata": {"multirail_key": KEY, "mrk_i1": "raised to 9000"}}),
        ),
        (
            "payment_intent.payment_failed",
            json!({"status": "requires_payment_method", "last_payment_error": error}),
        ),
        (
            "payment_intent.requires_action",
            json!({"status": "requires_action", "next_action": action}),
        ),
        ("payment_intent.processing", json!({"status": "processing"})),
        ("payment_intent.canceled", json!({"status": "canceled"})),
        (
            "payment_intent.canceled",
            json!({"status": "canceled", "cancellation_reason": "automatic"}),
        ),
    ];
    let rows = rows.map(|(kind, changes)| read_event(&event(kind, payment(changes))));
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn other_events() {
    let check = |status: &str| {
        json!({"id": "seti_1", "object": "setup_intent", "status": status, "metadata": {"multirail_key": KEY},
            "last_setup_error": {"type": "card_error", "code": "card_declined", "message": "no"}})
    };
    let refund = |metadata: Value, status: &str| {
        json!({"id": "re_1", "object": "refund", "amount": 1200, "currency": "usd", "status": status,
            "payment_intent": "pi_1", "metadata": metadata})
    };
    let own = || json!({"multirail_key": "mrk_r1"});
    let charge = json!({"id": "ch_1", "object": "charge", "payment_intent": "pi_1", "metadata": {"multirail_key": KEY}});
    let rows = [
        ("setup_intent.created", check("requires_payment_method")),
        ("setup_intent.succeeded", check("succeeded")),
        (
            "setup_intent.setup_failed",
            check("requires_payment_method"),
        ),
        ("setup_intent.canceled", check("canceled")),
        ("refund.created", refund(own(), "pending")),
        ("refund.updated", refund(own(), "succeeded")),
        ("charge.refund.updated", refund(own(), "succeeded")),
        ("refund.failed", refund(own(), "failed")),
        (
            "refund.updated",
            refund(json!({"multirail_void": "mrk_v1"}), "succeeded"),
        ),
        ("refund.created", refund(json!({}), "succeeded")),
        ("charge.succeeded", charge.clone()),
        (
            "charge.captured",
            changed(charge.clone(), json!({"metadata": {}})),
        ),
        (
            "charge.failed",
            changed(charge, json!({"payment_intent": null})),
        ),
        ("charge.dispute.created", dispute("needs_response")),
        ("charge.dispute.closed", dispute("lost")),
        ("charge.dispute.updated", dispute("warning_under_review")),
        ("customer.created", json!({"id": "cus_1"})),
    ];
    let rows = rows.map(|(kind, object)| read_event(&event(kind, object)));
    insta::assert_snapshot!(rows.join("\n"));
}

fn dispute(status: &str) -> Value {
    json!({"id": "du_1", "object": "dispute", "amount": 6540, "currency": "usd", "charge": "ch_1",
        "payment_intent": "pi_1", "status": status, "reason": "product_not_received",
        "network_reason_code": "13.1", "created": NOW - 60, "evidence_details": {"due_by": NOW + 86_400}})
}

#[test]
fn an_unknown_word_of_a_dispute_is_not_read() {
    let body = event("charge.dispute.updated", dispute("settled")).to_string();
    let raw = raw("", &body);
    assert_eq!(notices::read(&raw, None), Err(Unreadable));
}

#[test]
fn an_event_of_another_connected_account_is_not_ours() {
    let plain = event("payment_intent.succeeded", payment(json!({})));
    let connected = changed(plain.clone(), json!({"account": "acct_2"}));
    assert!(read_event_for(Some("acct_2"), &connected).contains("done"));
    assert!(read_event_for(Some("acct_1"), &connected).ends_with("nothing"));
    assert!(read_event_for(None, &connected).contains("done"));
    assert!(read_event_for(Some("acct_1"), &plain).contains("done"));
}
