//! The records of users. (`migrations/README.md`, "Records") `server/store/src/tests/records` describes how formats
//! begin and are released.

use multirail_identity_domain::{
    Role, SecondFactorSecrets, SessionKind, SignInClient, UserPersonal,
};
use multirail_kernel::email::Email;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_store::fixture::records::Life::{Rewritten, WrittenOnce};
use multirail_store::fixture::records::{Kind, Records, words};
use serde_json::Value;

use crate::store::DECLARED;

const RECORDS: Records = Records {
    manifest: env!("CARGO_MANIFEST_DIR"),
    statements: "src/store",
    formats: "src/store/tests/records",
    package: env!("CARGO_PKG_NAME"),
    kinds,
    words: enumerations,
};

fn kinds() -> Vec<Kind> {
    vec![
        Kind::json(Rewritten, &user_personal()),
        Kind::json(WrittenOnce, &sign_in_clients()),
        Kind::json(Rewritten, &second_factors()),
    ]
}

/// Enumerations whose words are stored.
fn enumerations() -> Value {
    words! {
        Role Role::ALL.iter();
        SessionKind SessionKind::ALL.iter();
    }
}

fn user_personal() -> Vec<UserPersonal> {
    vec![UserPersonal {
        email: Email::parse("ada@books.example").expect("an address"),
        name: "ada".to_owned(),
        unread: UnreadMembers::default(),
    }]
}

fn sign_in_clients() -> Vec<SignInClient> {
    let full = SignInClient {
        address: Some("203.0.113.7".to_owned()),
        user_agent: Some("Mozilla/5.0 (X11; Linux x86_64)".to_owned()),
        unread: UnreadMembers::default(),
    };
    vec![SignInClient::default(), full]
}

fn second_factors() -> Vec<SecondFactorSecrets> {
    vec![SecondFactorSecrets {
        totp: SecretText::new("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
        recovery_hashes: vec!["example-hash".to_owned()],
        unread: UnreadMembers::default(),
    }]
}

#[test]
fn every_record_has_an_example() {
    RECORDS.each_has_an_example(&[DECLARED]);
}

#[test]
fn newest_examples_show_what_this_version_writes() {
    RECORDS.newest_examples_show_what_this_version_writes();
}

#[test]
fn examples_of_every_format_are_read_and_lose_nothing() {
    RECORDS.examples_of_every_format_are_read_and_lose_nothing();
}

#[test]
fn released_examples_never_change() {
    RECORDS.released_examples_never_change();
}

#[test]
fn members_of_a_later_version_are_stored() {
    assert_eq!(RECORDS.refuse_members_of_a_later_version(), "");
}

#[test]
fn no_record_has_words() {
    assert_eq!(RECORDS.refuse_words_of_a_later_version(), "");
}
