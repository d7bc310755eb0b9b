use multirail_app::payments::ports::wallet_opener::CannotOpen;
use multirail_kernel::timestamp::Timestamp;
use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::apple::Apple;
use serde_json::{Value, json};

use super::*;
use crate::keys::armored;

const AT: u64 = 1_800_000_000;
const IDENTIFIER: &str = "merchant.example.bookshop";

fn card() -> Value {
    json!({
        "applicationPrimaryAccountNumber": "4111111111111111", "applicationExpirationDate": "351031",
        "currencyCode": "840", "transactionAmount": 6540, "deviceManufacturerIdentifier": "040010030273",
        "paymentDataType": "3DSecure",
        "paymentData": { "onlinePaymentCryptogram": "AgAAAAAAAIR8CQrXcIhbQAAAAAA=", "eciIndicator": "7" },
    })
}

fn key(merchant: &MerchantKey) -> AppleKey {
    serde_json::from_value(json!({
        "merchant_identifier": IDENTIFIER, "payment_processing_certificate_key": merchant.pem(),
    }))
    .expect("a key")
}

fn opens(
    token: &str,
    apple: &Apple,
    key: &AppleKey,
    after: i64,
) -> Result<OpenedWallet, CannotOpen> {
    let root = armored(apple.root_pem()).expect("a certificate");
    let now = Timestamp::from_micros((AT as i64 + after) * 1_000_000);
    open(token, key, &root, now)
}

#[test]
fn what_apple_sealed_for_us_is_opened() {
    let (apple, merchant) = (Apple::new(), MerchantKey::generate());
    let token = apple.seal(&merchant, IDENTIFIER, &card(), AT);
    let in_base64 = base64_of(&token);
    for text in [&token, &in_base64] {
        let opened = opens(text, &apple, &key(&merchant), 60).expect("opened");
        assert_eq!(opened.number.expose(), "4111111111111111");
        assert_eq!((&*opened.exp_month, &*opened.exp_year), ("10", "35"));
        assert_eq!(opened.eci.as_deref(), Some("7"));
        assert_eq!(opened.agreed, Some((840, 6540)));
        let proof = opened.cryptogram.expect("a cryptogram");
        assert_eq!(proof.expose(), "AgAAAAAAAIR8CQrXcIhbQAAAAAA=");
    }
}

#[test]
fn what_somebody_else_sealed_or_signed_stays_closed() {
    let (apple, merchant) = (Apple::new(), MerchantKey::generate());
    let token = apple.seal(&merchant, IDENTIFIER, &card(), AT);
    let refused = |token: &str, apple: &Apple, merchant: &MerchantKey, after: i64| {
        opens(token, apple, &key(merchant), after).expect_err("it stays closed")
    };
    assert_eq!(
        refused(&token, &Apple::new(), &merchant, 0),
        CannotOpen::NotSigned,
        "another root"
    );
    assert_eq!(
        refused(&token, &apple, &MerchantKey::generate(), 0),
        CannotOpen::AnotherKey
    );
    assert_eq!(refused(&token, &apple, &merchant, 301), CannotOpen::Expired);
    assert_eq!(
        refused(&token, &apple, &merchant, -301),
        CannotOpen::Expired
    );
    let unmarked = Apple::without_mark();
    let token = unmarked.seal(&merchant, IDENTIFIER, &card(), AT);
    assert_eq!(
        refused(&token, &unmarked, &merchant, 0),
        CannotOpen::NotSigned
    );
    let other = apple.seal(&merchant, "merchant.example.other", &card(), AT);
    assert_eq!(
        refused(&other, &apple, &merchant, 0),
        CannotOpen::AnotherKey
    );
}

/// Every member is signed, or is part of the check.
#[test]
fn what_was_changed_stays_closed() {
    let (apple, merchant) = (Apple::new(), MerchantKey::generate());
    let token = apple.seal(&merchant, IDENTIFIER, &card(), AT);
    let other = apple.seal(&merchant, IDENTIFIER, &card(), AT);
    let token: Value = serde_json::from_str(&token).expect("JSON");
    let other: Value = serde_json::from_str(&other).expect("JSON");
    for place in [
        "/data",
        "/header/ephemeralPublicKey",
        "/header/transactionId",
        "/signature",
    ] {
        let mut changed = token.clone();
        let member = changed.pointer_mut(place).expect("a member");
        *member = other.pointer(place).expect("a member").clone();
        let opened = opens(&changed.to_string(), &apple, &key(&merchant), 0);
        assert_eq!(opened.expect_err(place), CannotOpen::NotSigned, "{place}");
    }
    for (place, value) in [
        ("/version", "RSA_v1"),
        ("/data", "%"),
        ("/signature", "MIAG"),
        ("/header/transactionId", "no number"),
    ] {
        let mut changed = token.clone();
        *changed.pointer_mut(place).expect("a member") = json!(value);
        let opened = opens(&changed.to_string(), &apple, &key(&merchant), 0);
        assert_eq!(opened.expect_err(place), CannotOpen::Unreadable, "{place}");
    }
    for text in ["", "{}", "null", "bm8="] {
        let opened = opens(text, &apple, &key(&merchant), 0);
        assert_eq!(opened.expect_err(text), CannotOpen::Unreadable, "{text}");
    }
}

#[test]
fn apples_own_root_is_readable() {
    assert!(crate::Wallets::new(crate::APPLE_ROOT).is_ok());
    assert!(crate::Wallets::new("nothing").is_err());
}

fn base64_of(text: &str) -> String {
    use ::base64::Engine;
    ::base64::engine::general_purpose::STANDARD.encode(text)
}
