//! Tests of the signatures of notices.

use multirail_sdk::connector::{News, RawNotice, WebhookSecrets};
use serde_json::{Value, json};

use super::super::notices;
use super::KEY;
use super::notices::{
    ACCOUNT, OTHER_SECRET, SECRET, is_verified, item, read, secrets, sent, signed,
};

#[test]
fn a_change_of_any_member_that_counts_breaks_the_signature() {
    let members = [
        ("pspReference", json!("VBGM9HXJS8FVHHT7")),
        ("originalReference", json!("NC6HT9CRT65ZGN83")),
        ("merchantAccountCode", json!("BookshopBE")),
        ("merchantReference", json!("mrk_other")),
        ("amount", json!({ "value": 1, "currency": "EUR" })),
        ("amount", json!({ "value": 6540, "currency": "USD" })),
        ("eventCode", json!("REFUND")),
        ("success", json!("false")),
        ("additionalData", json!({})),
        ("additionalData", json!({ "hmacSignature": 5 })),
        ("additionalData", json!({ "hmacSignature": "" })),
    ];
    for (member, other) in members {
        let mut forged = signed(item("CAPTURE", "true"), SECRET);
        forged[member] = other;
        assert!(!is_verified(&[forged]), "{member}");
    }
}

/// The same signed text may belong to another item, so the notice changes nothing. It is genuine,
/// so Adyen needs the acknowledgement.
#[test]
fn a_colon_elsewhere_is_acknowledged_and_says_nothing() {
    let mut item = item("CAPTURE", "true");
    item["merchantReference"] = json!(format!("a:{KEY}"));
    let item = signed(item, SECRET);
    assert!(is_verified(std::slice::from_ref(&item)));
    let mut moved = item.clone();
    moved["merchantAccountCode"] = json!(format!("{ACCOUNT}:a"));
    moved["merchantReference"] = json!(KEY);
    let clear = signed(self::item("REFUND", "true"), SECRET);
    let read = read(&[moved, clear]).expect("they are signed");
    assert_eq!(
        (read[0].kind.as_str(), &read[0].news),
        ("CAPTURE", &News::Unreadable)
    );
    assert!(matches!(read[1].news, News::Outcome { .. }), "{read:?}");
    for member in ["pspReference", "originalReference", "eventCode"] {
        let mut odd = self::item("CAPTURE", "true");
        odd[member] = json!("a:b");
        let odd = self::read(&[signed(odd, SECRET)]).expect("it is signed");
        assert_eq!(odd[0].news, News::Unreadable, "{member}");
    }
}

/// Signed notices of a later version are acknowledged.
#[test]
fn notices_with_missing_or_unfitting_members_are_acknowledged() {
    for (member, value) in [
        ("amount", Value::Null),
        ("amount", json!({ "currency": "EUR" })),
        ("success", json!(true)),
        ("reason", json!({ "code": 5 })),
        ("pspReference", Value::Null),
    ] {
        let mut odd = item("CAPTURE", "true");
        odd[member] = value;
        let odd = read(&[signed(odd, SECRET)]).expect("it is signed");
        assert_eq!(odd[0].news, News::Unreadable, "{member}");
    }
}

/// Items are filed separately, identified by their signed text. Repeating a genuine item in other
/// wrappings can't fill the disk.
#[test]
fn an_item_has_one_name_however_it_is_wrapped() {
    let names = |items: &[Value]| {
        let parts = notices::parts(&sent(items)).into_iter();
        parts.map(|part| part.identity).collect::<Vec<_>>()
    };
    let one = signed(item("CAPTURE", "true"), SECRET);
    let other = signed(item("REFUND", "true"), SECRET);
    let name = names(std::slice::from_ref(&one)).remove(0);
    let mut wrapped = one.clone();
    wrapped["reason"] = json!("anew");
    wrapped["unknown"] = json!([1, 2, 3]);
    assert_eq!(names(&[wrapped, other.clone()])[0], name);
    assert_ne!(names(&[other])[0], name);
    // An unreadable item doesn't replace a readable one.
    let mut unclear = one;
    unclear["amount"]["value"] = json!("6540");
    assert!(is_verified(std::slice::from_ref(&unclear)));
    assert_ne!(names(&[unclear])[0], name);
}

#[test]
fn every_item_has_to_be_signed() {
    let good = signed(item("CAPTURE", "true"), SECRET);
    let bad = signed(item("REFUND", "true"), OTHER_SECRET);
    assert_eq!(
        read(&[good.clone(), good.clone()]).map(|all| all.len()),
        Some(2)
    );
    assert!(!is_verified(&[good, bad]));
    assert!(!is_verified(&[]));
    let nonsense = RawNotice {
        headers: Vec::new(),
        body: b"[accepted]".to_vec(),
    };
    assert!(!notices::verify(&nonsense, Some(&secrets(SECRET, None))));
    assert_eq!(notices::read(&nonsense, ACCOUNT), None);
}

#[test]
fn two_secrets_are_valid_while_they_are_changed() {
    let raw = sent(&[signed(item("CAPTURE", "true"), SECRET)]);
    let verified = |secrets: Option<&WebhookSecrets>| notices::verify(&raw, secrets);
    assert!(verified(Some(&secrets(SECRET, Some(OTHER_SECRET)))));
    assert!(verified(Some(&secrets(OTHER_SECRET, Some(SECRET)))));
    assert!(!verified(Some(&secrets(OTHER_SECRET, None))));
    assert!(!verified(None));
}

#[test]
fn short_secrets_are_ignored() {
    for weak in ["", "00", "not hexadecimal"] {
        let secret = if weak.starts_with("not") { "" } else { weak };
        let raw = sent(&[signed(item("CAPTURE", "true"), secret)]);
        assert!(
            !notices::verify(&raw, Some(&secrets(weak, None))),
            "{weak:?}"
        );
    }
}
