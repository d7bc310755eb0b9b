//! Tests with deliveries that the server's code made and signed, and with the library of Standard Webhooks.

use chrono::{DateTime, TimeDelta, Utc};
use http::{HeaderMap, HeaderName};
use multirail_domain::accounts::profile::ProfileSecrets;
use multirail_domain::accounts::profile::WebhookSecret;
use multirail_domain::webhooks::webhook::signature::signature_headers;
use multirail_domain::webhooks::webhook::{Envelope, PAYMENT_DETAILS};
use multirail_kernel::envelope::test_body;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types::{self as types, Secret};
use multirail_webhooks::{
    Content, SIGNATURE_512, UnusableSecret, Verifier, WEBHOOK_ID, WEBHOOK_SIGNATURE,
    WEBHOOK_TIMESTAMP, WebhookError,
};
use serde_json::Value;

const HASH_KEY: &str = "a key of the merchant";

/// A delivery that the server sends at `sent_at` for a profile with these secrets.
struct Delivery {
    headers: HeaderMap,
    body: Vec<u8>,
    sent_at: DateTime<Utc>,
}

fn secret(seed: u64) -> WebhookSecret {
    WebhookSecret::generate(Timestamp::EPOCH, &SeededRandom::new(seed))
}

fn deliver(secrets: Vec<WebhookSecret>) -> Delivery {
    let payment = example("PaymentRequiresPaymentMethod", "payment_id", "pay_1");
    deliver_content(secrets, PAYMENT_DETAILS, &payment)
}

/// Returns an example of the document with the given id.
fn example(name: &str, id_member: &str, id: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../openapi/openapi.yaml");
    let text = std::fs::read_to_string(path).expect("the document");
    let document: Value = serde_norway::from_str(&text).expect("YAML");
    let mut object = document["components"]["examples"][name]["value"].clone();
    object[id_member] = id.into();
    object.to_string()
}

fn deliver_content(secrets: Vec<WebhookSecret>, kind: &'static str, object: &str) -> Delivery {
    let body = Envelope {
        merchant_id: &MerchantId::parse("bookshop").expect("an id"),
        event_id: &event_id(),
        event_type: EventType::PaymentSucceeded,
        content_type: kind,
        object,
        timestamp: Timestamp::EPOCH,
    };
    sign(secrets, body.to_body())
}

fn event_id() -> EventId {
    EventId::parse("evt_1").expect("an id")
}

fn sign(secrets: Vec<WebhookSecret>, body: String) -> Delivery {
    let sent_at = Utc::now();
    let body = body.into_bytes();
    let secrets = ProfileSecrets {
        payment_response_hash_key: Some(SecretText::new(HASH_KEY)),
        webhook_secrets: secrets,
        ..ProfileSecrets::default()
    };
    let wall = Timestamp::from(sent_at);
    let signed =
        signature_headers(&secrets, &event_id(), &body, Timestamp::EPOCH, wall).into_iter();
    let headers = signed.map(|(name, value)| {
        (
            HeaderName::from_static(name),
            value.parse().expect("a value"),
        )
    });
    Delivery {
        headers: headers.collect(),
        body,
        sent_at,
    }
}

fn by_secret(secret: &WebhookSecret) -> Verifier {
    Verifier::with_secret(secret.secret.expose()).expect("a secret")
}

fn by_hash_key(key: &str) -> Verifier {
    Verifier::with_hash_key(key).expect("a key")
}

#[test]
fn a_delivery_of_the_server_is_verified_and_read() {
    let delivery = deliver(vec![secret(1)]);
    let both = by_secret(&secret(1)).and_hash_key(HASH_KEY).expect("a key");
    for verifier in [by_secret(&secret(1)), by_hash_key(HASH_KEY), both] {
        let event = verifier.verify(&delivery.headers, &delivery.body);
        let event = event.expect("an event");
        assert_eq!(
            (event.merchant_id.as_str(), event.event_id.as_str()),
            ("bookshop", "evt_1")
        );
        assert_eq!(event.event_type, types::EventType::PaymentSucceeded);
        assert_eq!(event.timestamp, DateTime::UNIX_EPOCH);
        match event.content {
            Content::Payment(payment) => assert_eq!(payment.payment_id, "pay_1"),
            other => panic!("no payment: {other:?}"),
        }
    }
}

#[test]
fn nothing_that_was_altered_passes() {
    let delivery = deliver(vec![secret(1)]);
    let wrong = |verifier: &Verifier, headers: &HeaderMap, body: &[u8]| match verifier
        .verify(headers, body)
    {
        Err(WebhookError::WrongSignature(header)) => header,
        other => panic!("{other:?}"),
    };
    let (standard, by_512) = (by_secret(&secret(1)), by_hash_key(HASH_KEY));
    let altered = String::from_utf8(delivery.body.clone())
        .expect("UTF-8")
        .replace("pay_1", "pay_2");
    assert_eq!(
        wrong(&standard, &delivery.headers, altered.as_bytes()),
        WEBHOOK_SIGNATURE
    );
    assert_eq!(
        wrong(&by_512, &delivery.headers, altered.as_bytes()),
        SIGNATURE_512
    );
    assert_eq!(
        wrong(&by_secret(&secret(2)), &delivery.headers, &delivery.body),
        WEBHOOK_SIGNATURE
    );
    assert_eq!(
        wrong(&by_hash_key("another"), &delivery.headers, &delivery.body),
        SIGNATURE_512
    );

    let later = (delivery.sent_at.timestamp() + 1).to_string();
    for (name, forged) in [
        (WEBHOOK_ID, "evt_2"),
        (WEBHOOK_TIMESTAMP, later.as_str()),
        (WEBHOOK_SIGNATURE, "v1,"),
        (WEBHOOK_SIGNATURE, "v1a,c2lnbmF0dXJl nothing"),
    ] {
        let mut headers = delivery.headers.clone();
        headers.insert(name, forged.parse().expect("a value"));
        assert_eq!(
            wrong(&standard, &headers, &delivery.body),
            WEBHOOK_SIGNATURE,
            "{name}"
        );
    }
    for forged in ["", "0", "zz", "00"] {
        let mut headers = delivery.headers.clone();
        headers.insert(SIGNATURE_512, forged.parse().expect("a value"));
        assert_eq!(
            wrong(&by_512, &headers, &delivery.body),
            SIGNATURE_512,
            "{forged}"
        );
    }
}

#[test]
fn both_have_to_fit_where_both_are_asked_for() {
    let delivery = deliver(vec![secret(1)]);
    let check = |secret: &WebhookSecret, key: &str| {
        let both = by_secret(secret).and_hash_key(key).expect("a key");
        both.verify(&delivery.headers, &delivery.body).is_ok()
    };
    assert!(check(&secret(1), HASH_KEY));
    assert!(!check(&secret(2), HASH_KEY) && !check(&secret(1), "another"));
}

#[test]
fn headers_that_are_missing_are_named() {
    let delivery = deliver(vec![secret(1)]);
    let both = by_secret(&secret(1)).and_hash_key(HASH_KEY).expect("a key");
    for name in [
        WEBHOOK_ID,
        WEBHOOK_TIMESTAMP,
        WEBHOOK_SIGNATURE,
        SIGNATURE_512,
    ] {
        let mut headers = delivery.headers.clone();
        headers.remove(name);
        let refused = both.verify(&headers, &delivery.body);
        assert_eq!(refused, Err(WebhookError::MissingHeader(name)));
    }
}

#[test]
fn deliveries_older_or_newer_than_five_minutes_are_refused() {
    let delivery = deliver(vec![secret(1)]);
    let check = |verifier: &Verifier, seconds: i64| {
        let now = delivery.sent_at + TimeDelta::seconds(seconds);
        verifier.check_at(&delivery.headers, &delivery.body, now)
    };
    let verifier = by_secret(&secret(1));
    assert_eq!(
        (check(&verifier, 300), check(&verifier, -300)),
        (Ok(()), Ok(()))
    );
    assert_eq!(check(&verifier, 301), Err(WebhookError::TooOld));
    assert_eq!(check(&verifier, -301), Err(WebhookError::TooNew));
    let patient = verifier.tolerance(std::time::Duration::from_secs(86_400));
    assert_eq!(check(&patient, 80_000), Ok(()));
    assert_eq!(
        check(&by_hash_key(HASH_KEY), 9_999_999),
        Ok(()),
        "it has no time"
    );

    let mut headers = delivery.headers.clone();
    headers.insert(WEBHOOK_TIMESTAMP, "yesterday".parse().expect("a value"));
    let refused = by_secret(&secret(1)).verify(&headers, &delivery.body);
    assert_eq!(refused, Err(WebhookError::UnreadableTimestamp));
}

#[test]
fn while_the_secret_changes_either_will_do() {
    let while_changing = deliver(vec![secret(2), secret(1)]);
    for known in [secret(1), secret(2)] {
        let verified = by_secret(&known).verify(&while_changing.headers, &while_changing.body);
        assert!(verified.is_ok());
    }
    let afterwards = deliver(vec![secret(2)]);
    let either = by_secret(&secret(1))
        .or_secret(secret(2).secret.expose())
        .expect("a secret");
    assert!(either.verify(&afterwards.headers, &afterwards.body).is_ok());
}

/// The library signs, and our code verifies.
#[test]
fn signatures_of_a_stock_library_are_verified() {
    let library = standardwebhooks::Webhook::new(secret(1).secret.expose()).expect("a secret");
    let signature = library
        .sign("msg_1", 1_700_000_000, b"{}")
        .expect("a signature");
    let mut headers = HeaderMap::new();
    headers.insert(WEBHOOK_ID, "msg_1".parse().expect("a value"));
    headers.insert(WEBHOOK_TIMESTAMP, "1700000000".parse().expect("a value"));
    headers.insert(WEBHOOK_SIGNATURE, signature.parse().expect("a value"));
    let now = DateTime::from_timestamp(1_700_000_000, 0).expect("a time");
    assert_eq!(by_secret(&secret(1)).check_at(&headers, b"{}", now), Ok(()));
}

#[test]
fn a_refund_is_read_as_one() {
    let refund = example("RefundSucceeded", "refund_id", "ref_1");
    let delivery = deliver_content(vec![secret(1)], "refund_details", &refund);
    let event = by_secret(&secret(1)).verify(&delivery.headers, &delivery.body);
    match event.expect("an event").content {
        Content::Refund(refund) => assert_eq!(
            (refund.refund_id.as_str(), refund.status),
            ("ref_1", types::RefundStatus::Succeeded)
        ),
        other => panic!("no refund: {other:?}"),
    }
}

#[test]
fn a_dispute_is_read_as_one() {
    let dispute = example("DisputeLost", "dispute_id", "dp_1");
    let delivery = deliver_content(vec![secret(1)], "dispute_details", &dispute);
    let event = by_secret(&secret(1)).verify(&delivery.headers, &delivery.body);
    match event.expect("an event").content {
        Content::Dispute(dispute) => assert_eq!(
            (dispute.dispute_id.as_str(), dispute.dispute_status),
            ("dp_1", types::DisputeStatus::DisputeLost)
        ),
        other => panic!("no dispute: {other:?}"),
    }
}

#[test]
fn the_test_event_of_an_endpoint_is_no_news_of_money() {
    let body = test_body(
        &MerchantId::parse("bookshop").expect("an id"),
        &ProfileId::parse("pro_1").expect("an id"),
        &WebhookEndpointId::parse("whe_1").expect("an id"),
        &event_id(),
        Timestamp::EPOCH,
    );
    let delivery = sign(vec![secret(1)], body);
    let event = by_secret(&secret(1)).verify(&delivery.headers, &delivery.body);
    let event = event.expect("an event");
    assert_eq!(
        event.event_type,
        types::EventType::Unknown("endpoint_test".to_owned())
    );
    match event.content {
        Content::Other { kind, object } => assert_eq!(
            (kind.as_str(), &object["webhook_endpoint_id"]),
            ("endpoint_test_details", &"whe_1".into())
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn objects_of_later_kinds_stay_unchanged() {
    let delivery = deliver_content(vec![secret(1)], "parcel_details", r#"{"parcel_id":"1"}"#);
    let event = by_secret(&secret(1)).verify(&delivery.headers, &delivery.body);
    match event.expect("an event").content {
        Content::Other { kind, object } => assert_eq!(
            (kind.as_str(), &object["parcel_id"]),
            ("parcel_details", &"1".into())
        ),
        other => panic!("{other:?}"),
    }
    let broken = deliver_content(
        vec![secret(1)],
        PAYMENT_DETAILS,
        r#"{"card_number":"4242"}"#,
    );
    let refused = by_secret(&secret(1)).verify(&broken.headers, &broken.body);
    assert!(
        matches!(&refused, Err(WebhookError::Unreadable(why)) if !why.contains("4242")),
        "{refused:?}"
    );
}

#[test]
fn secrets_have_a_form_and_dont_print() {
    for bad in ["", "whsec_", "whsec_?", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
        assert_eq!(
            Verifier::with_secret(bad).err(),
            Some(UnusableSecret),
            "{bad}"
        );
    }
    assert_eq!(Verifier::with_hash_key("").err(), Some(UnusableSecret));
    let verifier = by_secret(&secret(1))
        .and_hash_key(Secret::new(HASH_KEY))
        .expect("a key");
    let shown = format!("{verifier:?}");
    assert_eq!(
        shown,
        "Verifier { secrets: 1, hash_key: Some(Secret(***)), tolerance: 300s }"
    );
}
