use chrono::Utc;
use http::HeaderMap;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use standardwebhooks::Webhook;

use super::*;
use crate::accounts::profile::WebhookSecret;

const BODY: &str = r#"{"merchant_id":"shop","event_type":"payment_succeeded"}"#;

/// The library reads the machine's clock.
fn wall() -> Timestamp {
    Timestamp::from(Utc::now())
}

fn event_id() -> EventId {
    EventId::generate(Timestamp::EPOCH, &SeededRandom::new(5))
}

fn secrets() -> ProfileSecrets {
    ProfileSecrets {
        payment_response_hash_key: Some(SecretText::new("a key of the merchant")),
        webhook_secrets: vec![secret(1)],
        ..ProfileSecrets::default()
    }
}

fn secret(seed: u64) -> WebhookSecret {
    WebhookSecret::generate(Timestamp::EPOCH, &SeededRandom::new(seed))
}

fn sign(secrets: &ProfileSecrets, wall: Timestamp) -> HeaderMap {
    let signed = signature_headers(
        secrets,
        &event_id(),
        BODY.as_bytes(),
        Timestamp::EPOCH,
        wall,
    );
    let headers = signed.into_iter();
    headers
        .map(|(name, value)| {
            (
                name.parse().expect("a name"),
                value.parse().expect("a value"),
            )
        })
        .collect()
}

/// Returns whether a stock library accepts the delivery.
fn is_verified(secret: &WebhookSecret, body: &str, headers: &HeaderMap) -> bool {
    let library = Webhook::new(secret.secret.expose()).expect("a secret of the library's form");
    library.verify(body.as_bytes(), headers).is_ok()
}

#[test]
fn a_stock_library_takes_ours_and_nothing_altered_or_stale() {
    let headers = sign(&secrets(), wall());
    assert!(is_verified(&secret(1), BODY, &headers));
    assert!(!is_verified(&secret(2), BODY, &headers));
    assert!(!is_verified(
        &secret(1),
        &BODY.replace("shop", "shoq"),
        &headers
    ));
    for seconds in [-600, 600] {
        let moment = wall().plus_seconds(seconds).expect("in range");
        assert!(!is_verified(&secret(1), BODY, &sign(&secrets(), moment)));
    }
    for (name, forged) in [
        (WEBHOOK_ID, "evt_another".to_owned()),
        (WEBHOOK_TIMESTAMP, (wall().unix_seconds() + 1).to_string()),
    ] {
        let mut headers = headers.clone();
        headers.insert(name, forged.parse().expect("a value"));
        assert!(!is_verified(&secret(1), BODY, &headers), "{name}");
    }
}

#[test]
fn the_library_would_have_signed_the_same() {
    let moment = Timestamp::EPOCH
        .plus_seconds(1_700_000_000)
        .expect("in range");
    let library = Webhook::new(secret(1).secret.expose()).expect("a secret");
    let theirs = library.sign(event_id().as_str(), 1_700_000_000, BODY.as_bytes());
    assert_eq!(
        sign(&secrets(), moment)[WEBHOOK_SIGNATURE],
        *theirs.expect("a signature")
    );
}

#[test]
fn while_two_secrets_are_valid_either_verifies() {
    let mut rotated = secrets();
    rotated.webhook_secrets.insert(0, secret(2));
    let headers = sign(&rotated, wall());
    assert!(is_verified(&secret(1), BODY, &headers) && is_verified(&secret(2), BODY, &headers));

    rotated.webhook_secrets[1].ends_at(Timestamp::EPOCH);
    let headers = sign(&rotated, wall());
    assert!(!is_verified(&secret(1), BODY, &headers) && is_verified(&secret(2), BODY, &headers));
}

#[test]
fn headers_of_a_try_and_of_its_retry() {
    let first = sign(
        &secrets(),
        Timestamp::EPOCH.plus_seconds(1).expect("in range"),
    );
    let again = sign(
        &secrets(),
        Timestamp::EPOCH.plus_seconds(61).expect("in range"),
    );
    insta::assert_debug_snapshot!(first, @r#"
    {
        "x-webhook-signature-512": "6f7619b27f75bca34a022e4ed5dffa7d3585b3aeaa69da51da38e7a2bc36444165e68e575dc631ef5685422e30ae78441c6b316f486bb7c44fe1abe015993e43",
        "webhook-id": "evt_0000000000007363b83697934d3197c0",
        "webhook-timestamp": "1",
        "webhook-signature": "v1,HjUQwD5KmJUohihkh+4dhSI1WhzbRVwGm+6uObPQqr4=",
    }
    "#);
    for name in [SIGNATURE_512, WEBHOOK_ID] {
        assert_eq!(first[name], again[name], "{name}");
    }
    for name in [WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE] {
        assert_ne!(first[name], again[name], "{name}");
    }
}

#[test]
fn without_a_key_there_is_no_header() {
    let mut without = secrets();
    without.payment_response_hash_key = Some(SecretText::default());
    assert!(!sign(&without, wall()).contains_key(SIGNATURE_512));
    without.payment_response_hash_key = None;
    without.webhook_secrets.clear();
    assert!(sign(&without, wall()).is_empty());
}

#[test]
fn secrets_dont_print_and_rest_sealed() {
    let secret = secret(1);
    let shown = format!("{secret:?}");
    assert!(!shown.contains("whsec_"), "{shown}");
    assert_eq!(secret.key().map(|key| key.len()), Some(32));
    let sealed = secrets().to_sealable();
    assert_eq!(ProfileSecrets::from_sealable(&sealed), Ok(secrets()));
}
