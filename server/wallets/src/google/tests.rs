use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};

use super::*;

const RECIPIENT: &str = "merchant:12345678901234567890";
const AT: i64 = 1_800_000_000_000;

fn message(method: &str) -> Value {
    json!({
        "messageExpiration": (AT + 60_000).to_string(), "messageId": "AH2EjtfkEXAMPLE", "paymentMethod": "CARD",
        "paymentMethodDetails": {
            "pan": "4111111111111111", "expirationMonth": 10, "expirationYear": 2035, "authMethod": method,
            "cryptogram": "AgAAAAAAAIR8CQrXcIhbQAAAAAA=", "eciIndicator": "05",
        },
    })
}

fn key(merchant: &MerchantKey, google: &Google) -> GoogleKey {
    serde_json::from_value(json!({
        "private_key": merchant.pem(), "recipient_id": RECIPIENT, "root_signing_keys": google.root_signing_keys(),
    }))
    .expect("a key")
}

fn opens(token: &str, key: &GoogleKey, after: i64) -> Result<OpenedWallet, CannotOpen> {
    open(token, key, Timestamp::from_micros((AT + after) * 1_000))
}

#[test]
fn what_google_sealed_for_us_is_opened() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let key = key(&merchant, &google);
    for (method, is_token) in [("CRYPTOGRAM_3DS", true), ("PAN_ONLY", false)] {
        let token = google.seal(&merchant, RECIPIENT, &message(method), AT + 1);
        let opened = opens(&token, &key, 0).expect("opened");
        assert_eq!(opened.number.expose(), "4111111111111111");
        assert_eq!((&*opened.exp_month, &*opened.exp_year), ("10", "2035"));
        assert_eq!(opened.cryptogram.is_some(), is_token);
        assert_eq!(opened.eci.is_some(), is_token);
    }
}

#[test]
fn what_somebody_else_sealed_or_signed_stays_closed() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let own = key(&merchant, &google);
    let token = google.seal(&merchant, RECIPIENT, &message("PAN_ONLY"), AT + 61_000);
    let refused =
        |token: &str, key: &GoogleKey, after| opens(token, key, after).expect_err("closed");
    let of_another_google = key(&merchant, &Google::new());
    assert_eq!(
        refused(&token, &of_another_google, 0),
        CannotOpen::NotSigned
    );
    let of_another_merchant = key(&MerchantKey::generate(), &google);
    assert_eq!(
        refused(&token, &of_another_merchant, 0),
        CannotOpen::AnotherKey
    );
    let for_another = google.seal(&merchant, "merchant:2", &message("PAN_ONLY"), AT + 61_000);
    assert_eq!(refused(&for_another, &own, 0), CannotOpen::NotSigned);
    assert_eq!(
        refused(&token, &own, 60_000),
        CannotOpen::Expired,
        "the message"
    );
    assert_eq!(
        refused(&token, &own, 61_000),
        CannotOpen::Expired,
        "the intermediate key"
    );
    let ended = GoogleKey {
        root_signing_keys: vec![GoogleRootKey {
            key_expiration: Some(AT.to_string()),
            ..own.root_signing_keys[0].clone()
        }],
        ..own.clone()
    };
    assert_eq!(
        refused(&token, &ended, 0),
        CannotOpen::NotSigned,
        "the root key"
    );
    for (place, value) in [
        ("/protocolVersion", "ECv1"),
        ("/intermediateSigningKey", "no"),
    ] {
        let mut changed: Value = serde_json::from_str(&token).expect("JSON");
        *changed.pointer_mut(place).expect("a member") = json!(value);
        assert_eq!(
            refused(&changed.to_string(), &own, 0),
            CannotOpen::Unreadable,
            "{place}"
        );
    }
}

/// The published example of Google's own library (Tink's PaymentMethodTokenRecipientTest), for the older ECv1. Its keys
/// are half as long, and its root key signs the message itself; all else is the same.
#[test]
fn the_published_example_is_opened() {
    let private_key = SecretText::new(
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCPSuFr4iSIaQprjjchHPyDu2NXFe0vDBoTpPkYaK9dehRANCAATnaFz/vQKuO90p\
         xsINyVNWojabHfbx9qIJ6uD7Q7ZSxmtyo/Ez3/o2kDT8g0pIdyVIYktCsq65VoQIDWSh2Bdm",
    );
    let google = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPYnHwS8uegWAewQtlxizmLFynwHcxRT1PK07cDA6/C4sXrVI1SzZCUx8U8S0LjMrT6ird/\
                  VW7be3Mz6t/srtRQ==";
    let signed_message = r#"{"tag":"ZVwlJt7dU8Plk0+r8rPF8DmPTvDiOA1UAoNjDV+SqDE\u003d","ephemeralPublicKey":"BPhVspn70Zj2Kkgu9t8+ApEuUWsI/zos5whGCQBlgOkuYagOis7qsrcbQrcprjvTZO3XOU+Qbcc28FSgsRtcgQE\u003d","encryptedMessage":"12jUObueVTdy"}"#;
    let signature = "MEQCIDxBoUCoFRGReLdZ/cABlSSRIKoOEFoU3e27c14vMZtfAiBtX3pGMEpnw6mSAbnagCCgHlCk3NcFwWYEyxIE6KGZVA==";
    let said = signed_over(&["Google", "someRecipient", "ECv1", signed_message]);
    assert!(is_signed(google, &said, signature));
    assert!(!is_signed(google, &said[1..], signature));
    let signed: SignedMessage = read(signed_message.as_bytes()).expect("a message");
    let ephemeral = base64(&signed.ephemeral_public_key).expect("a point");
    let secret = shared(&private(&private_key).expect("a key"), &ephemeral).expect("a secret");
    let opened = unseal(&signed, &ephemeral, &secret, 16).expect("opened");
    assert_eq!(&**opened, b"plaintext");
}
