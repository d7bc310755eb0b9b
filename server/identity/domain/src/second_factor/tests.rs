use multirail_kernel::email::Email;
use multirail_kernel::random::SeededRandom;

use super::*;

/// The secret of the examples in RFC 6238, appendix B.
const RFC_SECRET: &[u8; 20] = b"12345678901234567890";

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(seconds).expect("a moment")
}

fn ada() -> User {
    User::create(
        UserId::parse("user_1").expect("an id"),
        MerchantId::parse("bookshop").expect("an id"),
        Email::parse("ada@books.example").expect("an address"),
        None,
        at(0),
    )
}

fn factor() -> SecondFactor {
    let begun = SecondFactor::begin(&ada(), at(0), &SeededRandom::new(1));
    let totp = SecretText::new(Secret::from(*RFC_SECRET).to_base32());
    SecondFactor {
        secrets: SecondFactorSecrets {
            totp,
            ..begun.secrets.clone()
        },
        ..begun
    }
}

fn step(code: &str, seconds: i64) -> Option<i64> {
    let taken = factor().with_code(&SecretText::new(code), at(seconds));
    taken.ok().map(|factor| factor.last_step)
}

/// RFC 6238, appendix B, the column of SHA-1. Our codes are the last six of its eight digits.
#[test]
fn the_published_examples() {
    for (seconds, eight) in [
        (59, "94287082"),
        (1_111_111_109, "07081804"),
        (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000, "65353130"),
    ] {
        assert_eq!(step(&eight[2..], seconds), Some(seconds / 30), "{seconds}");
    }
}

#[test]
fn a_code_is_valid_in_its_step_and_the_adjacent_ones() {
    let code = "005924";
    let first = 1_234_567_890 / 30 * 30;
    assert_eq!(step(code, first - 31), None);
    for seconds in [first - 30, first, first + 29, first + 59] {
        assert_eq!(step(code, seconds), Some(first / 30), "{seconds}");
    }
    assert_eq!(step(code, first + 60), None);
    for no_code in ["", "5924", "0059240", "+05924", "00592a", "٠٠٥٩٢٤"] {
        assert_eq!(step(no_code, first), None, "{no_code}");
    }
    assert_eq!(step(" 005 924 ", first), Some(first / 30));
}

#[test]
fn a_code_is_taken_once_and_none_of_before_it() {
    let now = at(1_111_111_111);
    let (before, code) = (SecretText::new("081804"), SecretText::new("050471"));
    let guessed = SecondFactor {
        guesses_empty_at: at(2_000_000_000),
        ..factor()
    };
    let taken = guessed.with_code(&code, now).expect("the code");
    assert_eq!(taken.guesses_empty_at, Timestamp::EPOCH);
    assert_eq!(taken.with_code(&code, now), Err(Refusal::TotpInvalid));
    assert_eq!(taken.with_code(&before, now), Err(Refusal::TotpInvalid));
    // The earlier code is valid if it comes first.
    assert!(factor().with_code(&before, now).is_ok());
}

#[test]
fn a_confirmed_one_is_asked_for() {
    let (now, wall) = (at(5), at(59));
    let hashes = vec!["one".to_owned(), "two".to_owned()];
    let wrong = factor().confirmed(&SecretText::new("287083"), Vec::new(), (now, wall));
    assert_eq!(wrong, Err(Refusal::TotpInvalid));
    assert!(!factor().is_on());
    let code = SecretText::new("287082");
    let on = factor().confirmed(&code, hashes, (now, wall));
    let on = on.expect("the code");
    assert_eq!((on.confirmed_at, on.last_step), (Some(now), 1));
    // Each recovery code can be used once.
    let used = on.without_recovery_hash("one").expect("a code");
    assert_eq!(used.secrets.recovery_hashes, ["two"]);
    for unknown in ["one", "three"] {
        let refused = used.without_recovery_hash(unknown);
        assert_eq!(refused, Err(Refusal::RecoveryCodeInvalid));
    }
}

#[test]
fn the_address_for_authenticators() {
    let uri = factor().uri(&ada()).expect("an address");
    insta::assert_snapshot!(
        uri.expose(),
        @"otpauth://totp/multirail:ada%40books.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=multirail"
    );
    let begun = SecondFactor::begin(&ada(), at(0), &SeededRandom::new(1));
    assert_eq!(begun.secrets.totp.expose().len(), 32);
    let colon = Email::parse("a:b@books.example").expect("an address");
    let mut user = ada();
    user.personal.email = colon;
    assert!(begun.uri(&user).is_some());
    assert!(!format!("{begun:?}").contains(begun.secrets.totp.expose()));
}

#[test]
fn recovery_codes_are_known_however_they_are_written() {
    let codes = recovery_codes(&SeededRandom::new(7));
    assert_eq!(codes.len(), 10);
    let text = |user: &str, code: &str| {
        let user_id = UserId::parse(user).expect("an id");
        recovery_text(&user_id, &SecretText::new(code))
    };
    for code in &codes {
        let code = code.expose();
        let parts: Vec<usize> = code.split('-').map(str::len).collect();
        assert_eq!(parts, [4, 4, 4], "{code}");
        let other = code.to_uppercase().replace('-', " ");
        assert!(text("user_1", code) == text("user_1", &other));
        assert!(text("user_1", code) != text("user_2", code));
    }
    let distinct: std::collections::BTreeSet<&str> = codes.iter().map(SecretText::expose).collect();
    assert_eq!(distinct.len(), 10);
}

#[test]
fn one_proof_is_brought() {
    let some = || Some(SecretText::new("1"));
    assert!(matches!(Proof::new(some(), None), Ok(Proof::Totp(_))));
    assert!(matches!(
        Proof::new(None, some()),
        Ok(Proof::RecoveryCode(_))
    ));
    assert_eq!(Proof::new(None, None).err(), Some(Refusal::TotpRequired));
    assert!(matches!(
        Proof::new(some(), some()),
        Err(Refusal::InvalidValue { .. })
    ));
}
