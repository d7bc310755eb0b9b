use multirail_system::random::OsRandom;

use super::*;

const CREATED: i64 = 1_767_268_800_000_000;

fn made() -> (MasterKey, KeyRing, Vec<WrappedKey>) {
    let master = MasterKey::generate(&OsRandom);
    let (ring, stored) = KeyRing::create(&master, &OsRandom, CREATED);
    (master, ring, stored)
}

#[test]
fn what_was_created_opens_and_does_the_same_work() {
    let (master, ring, stored) = made();
    assert_eq!(stored.len(), KeyPurpose::ALL.len());
    let again = KeyRing::open(&master, &stored).unwrap();
    assert_eq!(ring.hash_api_key("dev_1"), again.hash_api_key("dev_1"));
    assert_eq!(ring.fingerprint("m", "4"), again.fingerprint("m", "4"));
    assert_eq!(
        ring.client_secret_suffix("m", "pay_1"),
        again.client_secret_suffix("m", "pay_1")
    );
    assert_eq!(ring.sealing_key().bytes, again.sealing_key().bytes);
}

#[test]
fn a_wrong_master_key_is_refused_by_name() {
    let (_, _, stored) = made();
    let error = KeyRing::open(&MasterKey::generate(&OsRandom), &stored).unwrap_err();
    assert_eq!(error, KeyRingError::WrongMasterKey { keys: 4 });
    assert!(
        error
            .to_string()
            .starts_with("the master key is not the one")
    );
}

#[test]
fn a_damaged_or_moved_key_differs_from_a_wrong_master_key() {
    type Damage = fn(&mut WrappedKey);
    let damages: [(&str, Damage); 5] = [
        ("a flipped bit", |key| key.wrapped[20] ^= 1),
        ("cut short", |key| key.wrapped.truncate(10)),
        ("another purpose", |key| {
            key.purpose = KeyPurpose::Fingerprint
        }),
        ("another id", |key| key.key_id.push('x')),
        ("another time", |key| key.created_at_micros += 1),
    ];
    for (what, damage) in damages {
        let (master, _, mut stored) = made();
        damage(&mut stored[0]);
        let error = KeyRing::open(&master, &stored).unwrap_err();
        assert!(
            matches!(&error, KeyRingError::DamagedKey { key_id, .. } if *key_id == stored[0].key_id),
            "{what}: {error}"
        );
    }
}

#[test]
fn missing_and_repeated_keys_are_refused() {
    let (master, _, stored) = made();
    for (index, purpose) in KeyPurpose::ALL.into_iter().enumerate() {
        let mut fewer = stored.clone();
        fewer.remove(index);
        let error = KeyRing::open(&master, &fewer).unwrap_err();
        assert_eq!(error, KeyRingError::MissingKey(purpose));
    }
    assert_eq!(
        KeyRing::open(&master, &[]).unwrap_err(),
        KeyRingError::MissingKey(KeyPurpose::Data)
    );
    let (_, more) = KeyRing::create(&master, &OsRandom, CREATED + 1);
    let both = [stored, more].concat();
    assert_eq!(
        KeyRing::open(&master, &both).unwrap_err(),
        KeyRingError::AmbiguousKey(KeyPurpose::ApiKeyHash)
    );
}

#[test]
fn the_newest_data_key_seals_and_the_older_one_still_opens() {
    let (master, _, stored) = made();
    let (_, newer) = KeyRing::create(&master, &OsRandom, CREATED + 1);
    let mut both = vec![newer[0].clone()];
    both.extend(stored.iter().cloned());
    let ring = KeyRing::open(&master, &both).unwrap();
    assert_eq!(ring.sealing_key().key_id, newer[0].key_id);
    assert!(ring.data_key(&stored[0].key_id).is_some());
}

#[test]
fn a_new_master_key_keeps_the_hashes() {
    let (old, ring, _) = made();
    let new = MasterKey::generate(&OsRandom);
    let rewrapped = ring.wrapped_by(&new, &OsRandom);
    let again = KeyRing::open(&new, &rewrapped).unwrap();
    assert_eq!(ring.hash_api_key("dev_1"), again.hash_api_key("dev_1"));
    assert!(KeyRing::open(&old, &rewrapped).is_err());
}

#[test]
fn hashes_have_the_expected_shape_and_scope() {
    let (_, ring, _) = made();
    assert_eq!(ring.hash_api_key("dev_1").len(), 64);
    assert_ne!(ring.hash_api_key("dev_1"), ring.hash_api_key("dev_2"));
    assert_eq!(ring.fingerprint("m1", "4111").len(), 64);
    assert_ne!(
        ring.fingerprint("m1", "4111"),
        ring.fingerprint("m2", "4111")
    );
    // The border between scope and value counts.
    assert_ne!(ring.fingerprint("m", "14"), ring.fingerprint("m1", "4"));
}

#[test]
fn client_secrets_are_20_letters_and_digits_of_one_payment() {
    let (_, ring, _) = made();
    let suffix = ring.client_secret_suffix("merchant", "pay_1");
    assert_eq!(suffix.len(), 20);
    assert!(suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_eq!(suffix, ring.client_secret_suffix("merchant", "pay_1"));
    assert_ne!(suffix, ring.client_secret_suffix("merchant", "pay_2"));
    assert_ne!(suffix, ring.client_secret_suffix("merchan", "tpay_1"));
    let (_, other, _) = made();
    assert_ne!(suffix, other.client_secret_suffix("merchant", "pay_1"));
}

#[test]
fn visit_tokens_are_32_letters_and_digits_of_one_page() {
    let (_, ring, _) = made();
    let token = ring.visit_token(&["page", "merchant", "pay_1_1"]);
    assert_eq!(token.len(), 32);
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_eq!(token, ring.visit_token(&["page", "merchant", "pay_1_1"]));
    for other in [
        &["page", "merchant", "pay_1_2"][..],
        &["other", "merchant", "pay_1_1"],
        &["page", "merchan", "tpay_1_1"],
        &["page", "merchant"],
    ] {
        assert_ne!(token, ring.visit_token(other));
    }
    let secret = ring.client_secret_suffix("merchant", "pay_1");
    assert!(
        !ring
            .visit_token(&["merchant", "pay_1"])
            .starts_with(&secret)
    );
    let (_, elsewhere, _) = made();
    assert_ne!(
        token,
        elsewhere.visit_token(&["page", "merchant", "pay_1_1"])
    );
}

#[test]
fn purposes_go_round_as_words() {
    for purpose in KeyPurpose::ALL {
        assert_eq!(purpose.as_str().parse(), Ok(purpose));
    }
    assert_eq!(
        "jwt".parse::<KeyPurpose>(),
        Err(UnknownPurpose("jwt".to_owned()))
    );
}

#[test]
fn a_ring_prints_no_key() {
    let (_, ring, _) = made();
    let printed = format!("{ring:?}");
    assert!(printed.contains("sealing_key"));
    for key in [&ring.data[0], &ring.api_key_hash] {
        assert!(!printed.contains(&hex::encode(key.bytes.as_slice())));
        assert!(!printed.contains(&format!("{:?}", key.bytes.as_slice())));
    }
}
