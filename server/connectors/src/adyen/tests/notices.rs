//! Tests of notices.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{News, Notice, Outcome, RawNotice};
use serde_json::{Value, json};
use sha2::Sha256;

use super::super::notices;
use super::{KEY, PSP};

pub const SECRET: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
pub const OTHER_SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
pub const ACCOUNT: &str = "BookshopNL";

pub fn secrets(merchant: &str, additional: Option<&str>) -> WebhookSecrets {
    WebhookSecrets {
        merchant_secret: SecretText::new(merchant),
        additional_secret: additional.map(SecretText::new),
        unread: UnreadMembers::default(),
    }
}

pub fn item(event: &str, success: &str) -> Value {
    json!({
        "pspReference": "VBGM9HXJS8FVHHT6", "originalReference": PSP, "merchantAccountCode": ACCOUNT,
        "merchantReference": KEY, "amount": { "value": 6540, "currency": "EUR" }, "eventCode": event,
        "success": success, "eventDate": "2026-01-31T12:00:00+01:00", "reason": "", "paymentMethod": "visa",
    })
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Signs the item with this secret.
pub fn signed(mut item: Value, secret: &str) -> Value {
    let members = [
        "pspReference",
        "originalReference",
        "merchantAccountCode",
        "merchantReference",
    ];
    let mut parts: Vec<String> = members.iter().map(|name| text(&item[name])).collect();
    parts.extend([
        text(&item["amount"]["value"]),
        text(&item["amount"]["currency"]),
    ]);
    parts.extend([text(&item["eventCode"]), text(&item["success"])]);
    let key = hex::decode(secret).expect("hexadecimal digits");
    let mac = Hmac::<Sha256>::new_from_slice(&key).expect("any length");
    let mac = mac.chain_update(parts.join(":")).finalize().into_bytes();
    item["additionalData"] = json!({ "hmacSignature": STANDARD.encode(mac) });
    item
}

pub fn sent(items: &[Value]) -> RawNotice {
    let items: Vec<Value> = items
        .iter()
        .map(|item| json!({ "NotificationRequestItem": item }))
        .collect();
    let body = json!({ "live": "false", "notificationItems": items });
    RawNotice {
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    }
}

pub fn is_verified(items: &[Value]) -> bool {
    notices::verify(&sent(items), Some(&secrets(SECRET, None)))
}

pub fn read(items: &[Value]) -> Option<Vec<Notice>> {
    assert!(is_verified(items), "they are signed");
    notices::read(&sent(items), ACCOUNT)
}

fn read_event(event: &str, success: &str) -> Notice {
    let mut notices = read(&[signed(item(event, success), SECRET)]).expect("it is signed");
    assert_eq!(notices.len(), 1);
    notices.remove(0)
}

/// The signature example of Adyen's documentation.
#[test]
fn a_signature_that_adyen_shows_is_accepted() {
    let example = json!({
        "pspReference": "7914073381342284", "originalReference": "", "merchantAccountCode": "TestMerchant",
        "merchantReference": "TestPayment-1407325143704", "amount": { "value": 1130, "currency": "EUR" },
        "eventCode": "AUTHORISATION", "success": "true",
        "additionalData": { "hmacSignature": "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=" },
    });
    let raw = sent(&[example]);
    assert!(notices::verify(&raw, Some(&secrets(SECRET, None))));
    let notices = notices::read(&raw, "TestMerchant");
    insta::assert_debug_snapshot!(notices, @r#"
    Some(
        [
            Notice {
                id: "AUTHORISATION:7914073381342284:true",
                kind: "AUTHORISATION",
                happened_at: None,
                news: Outcome {
                    about: About {
                        kind: Authorize,
                        key: Some(
                            ProcessorKey(
                                "TestPayment-1407325143704",
                            ),
                        ),
                        reference: Some(
                            "7914073381342284",
                        ),
                        authorization_reference: None,
                        authorization_key: None,
                    },
                    outcome: Done(
                        Approval {
                            reference: Some(
                                "7914073381342284",
                            ),
                            amount_minor: Some(
                                1130,
                            ),
                            currency: Some(
                                "EUR",
                            ),
                            network_transaction_id: None,
                            mandate: None,
                            processor_status: None,
                            checks: None,
                            remarks: None,
                            review: None,
                            hold: None,
                            leaves_nothing: false,
                            excess: None,
                        },
                    ),
                },
            },
        ],
    )
    "#);
}

#[test]
fn a_notice_tells_what_became_of_a_capture() {
    insta::assert_debug_snapshot!(read_event("CAPTURE", "true"), @r#"
    Notice {
        id: "CAPTURE:VBGM9HXJS8FVHHT6:true",
        kind: "CAPTURE",
        happened_at: Some(
            Timestamp(
                1769857200000000,
            ),
        ),
        news: Outcome {
            about: About {
                kind: Capture,
                key: Some(
                    ProcessorKey(
                        "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ",
                    ),
                ),
                reference: Some(
                    "VBGM9HXJS8FVHHT6",
                ),
                authorization_reference: Some(
                    "NC6HT9CRT65ZGN82",
                ),
                authorization_key: None,
            },
            outcome: Done(
                Approval {
                    reference: Some(
                        "VBGM9HXJS8FVHHT6",
                    ),
                    amount_minor: Some(
                        6540,
                    ),
                    currency: Some(
                        "EUR",
                    ),
                    network_transaction_id: None,
                    mandate: None,
                    processor_status: None,
                    checks: None,
                    remarks: None,
                    review: None,
                    hold: None,
                    leaves_nothing: false,
                    excess: None,
                },
            ),
        },
    }
    "#);
}

#[test]
fn every_event() {
    let events = [
        "AUTHORISATION",
        "OFFER_CLOSED",
        "AUTHORISATION_ADJUSTMENT",
        "CAPTURE",
        "CAPTURE_FAILED",
        "CANCELLATION",
        "CANCEL_OR_REFUND",
        "TECHNICAL_CANCEL",
        "REFUND",
        "REFUND_FAILED",
        "REFUNDED_REVERSED",
        "EXPIRE",
        "REQUEST_FOR_INFORMATION",
        "NOTIFICATION_OF_CHARGEBACK",
        "CHARGEBACK",
        "DISPUTE_DEFENSE_PERIOD_ENDED",
        "CHARGEBACK_REVERSED",
        "SECOND_CHARGEBACK",
        "ARBITRATION_WON",
        "REPORT_AVAILABLE",
        "A_WORD_OF_LATER",
    ];
    let mut rows = Vec::new();
    for event in events {
        for success in ["true", "false"] {
            let row = match read_event(event, success).news {
                News::Outcome { about, outcome } => {
                    let outcome = match outcome {
                        Outcome::Done(done) => format!("done, amount {:?}", done.amount_minor),
                        Outcome::Declined(decline) if decline.takes_back => {
                            format!("taken back {}", decline.code)
                        }
                        Outcome::Declined(decline) => format!("declined {}", decline.code),
                        other => format!("{other:?}"),
                    };
                    let named = [about.key.is_some(), about.reference.is_some()];
                    format!("{}: {outcome}; key, reference: {named:?}", about.kind)
                }
                News::Hint { about } => format!("{} has changed", about.kind),
                News::Dispute(dispute) => format!(
                    "dispute {} of {}: {} {}, {}",
                    dispute.reference,
                    dispute.authorization_reference.unwrap_or_default(),
                    dispute.stage,
                    dispute.status,
                    dispute.money
                ),
                News::Nothing => "nothing".to_owned(),
                News::Unreadable => "unreadable".to_owned(),
            };
            rows.push(format!("{event} {success} -> {row}"));
        }
    }
    insta::assert_snapshot!(rows.join("\n"), @"
    AUTHORISATION true -> authorize: done, amount Some(6540); key, reference: [true, true]
    AUTHORISATION false -> authorize: declined AUTHORISATION; key, reference: [true, true]
    OFFER_CLOSED true -> authorize: declined OFFER_CLOSED; key, reference: [true, false]
    OFFER_CLOSED false -> nothing
    AUTHORISATION_ADJUSTMENT true -> increment: done, amount Some(6540); key, reference: [true, true]
    AUTHORISATION_ADJUSTMENT false -> increment: declined AUTHORISATION_ADJUSTMENT; key, reference: [true, true]
    CAPTURE true -> capture: done, amount Some(6540); key, reference: [true, true]
    CAPTURE false -> capture: declined CAPTURE; key, reference: [true, true]
    CAPTURE_FAILED true -> capture: taken back CAPTURE_FAILED; key, reference: [true, true]
    CAPTURE_FAILED false -> nothing
    CANCELLATION true -> void: done, amount None; key, reference: [true, true]
    CANCELLATION false -> void: declined CANCELLATION; key, reference: [true, true]
    CANCEL_OR_REFUND true -> void: done, amount None; key, reference: [true, true]
    CANCEL_OR_REFUND false -> void: declined CANCEL_OR_REFUND; key, reference: [true, true]
    TECHNICAL_CANCEL true -> void: done, amount None; key, reference: [false, true]
    TECHNICAL_CANCEL false -> void: declined TECHNICAL_CANCEL; key, reference: [false, true]
    REFUND true -> refund: done, amount Some(6540); key, reference: [true, true]
    REFUND false -> refund: declined REFUND; key, reference: [true, true]
    REFUND_FAILED true -> refund: taken back REFUND_FAILED; key, reference: [true, true]
    REFUND_FAILED false -> nothing
    REFUNDED_REVERSED true -> refund: taken back REFUNDED_REVERSED; key, reference: [true, true]
    REFUNDED_REVERSED false -> nothing
    EXPIRE true -> authorize: declined EXPIRE; key, reference: [true, false]
    EXPIRE false -> nothing
    REQUEST_FOR_INFORMATION true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: pre_dispute dispute_opened, 65.40 EUR
    REQUEST_FOR_INFORMATION false -> nothing
    NOTIFICATION_OF_CHARGEBACK true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: dispute dispute_opened, 65.40 EUR
    NOTIFICATION_OF_CHARGEBACK false -> nothing
    CHARGEBACK true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: dispute dispute_opened, 65.40 EUR
    CHARGEBACK false -> nothing
    DISPUTE_DEFENSE_PERIOD_ENDED true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: dispute dispute_expired, 65.40 EUR
    DISPUTE_DEFENSE_PERIOD_ENDED false -> nothing
    CHARGEBACK_REVERSED true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: dispute dispute_won, 65.40 EUR
    CHARGEBACK_REVERSED false -> nothing
    SECOND_CHARGEBACK true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: pre_arbitration dispute_lost, 65.40 EUR
    SECOND_CHARGEBACK false -> nothing
    ARBITRATION_WON true -> dispute VBGM9HXJS8FVHHT6 of NC6HT9CRT65ZGN82: arbitration dispute_won, 65.40 EUR
    ARBITRATION_WON false -> nothing
    REPORT_AVAILABLE true -> nothing
    REPORT_AVAILABLE false -> nothing
    A_WORD_OF_LATER true -> nothing
    A_WORD_OF_LATER false -> nothing
    ");
}

#[test]
fn a_refusal_has_the_code_that_an_answer_would_have() {
    let mut refused = item("AUTHORISATION", "false");
    refused["reason"] = json!("3D Not Authenticated");
    let notices = read(&[signed(refused, SECRET)]).expect("it is signed");
    let News::Outcome {
        outcome: Outcome::Declined(decline),
        ..
    } = &notices[0].news
    else {
        panic!("{notices:?}")
    };
    assert_eq!(
        (decline.code.as_str(), decline.in_authentication),
        ("11", true)
    );
}

#[test]
fn other_merchant_accounts_tell_nothing() {
    let mut other = item("CAPTURE", "true");
    other["merchantAccountCode"] = json!("BookshopBE");
    let notices = read(&[signed(other, SECRET)]).expect("it is signed");
    assert_eq!(notices[0].news, News::Nothing);
    let mut astonishing = item("CAPTURE", "perhaps");
    astonishing["reason"] = json!("who knows");
    let notices = read(&[signed(astonishing, SECRET)]).expect("it is signed");
    assert_eq!(notices[0].news, News::Unreadable);
}
