use super::*;
use crate::connector::description::EXAMPLE;

fn check(
    kind: CredentialsKind,
    members: &[(&str, &str)],
    connector: Option<&Description>,
) -> Result<Credentials, Refusal> {
    let members = members
        .iter()
        .map(|(name, text)| ((*name).to_owned(), SecretText::new(*text)))
        .collect();
    Credentials::check(CredentialsInput { kind, members }, connector)
}

#[test]
fn a_simulator_wants_one_key() {
    let key = ("api_key", "sim_0123456789abcdef");
    let credentials =
        check(CredentialsKind::HeaderKey, &[key], Some(&EXAMPLE)).expect("credentials");
    assert!(credentials.are_real());
    assert_eq!(
        credentials.to_json().expose(),
        r#"{"auth_type":"HeaderKey","api_key":"sim_0123456789abcdef"}"#
    );
    assert_eq!(
        Credentials::from_json(&credentials.to_json()),
        Ok(credentials.clone())
    );
    assert_eq!(credentials.mask("api_key").as_deref(), Some("si********ef"));
    assert_eq!(credentials.mask("key1"), None);
    assert!(!format!("{credentials:?}").contains("0123456789"));
}

#[test]
fn others_are_refused_by_the_name_of_the_member() {
    type Row = (
        CredentialsKind,
        &'static [(&'static str, &'static str)],
        &'static str,
    );
    let table: [Row; 5] = [
        (
            CredentialsKind::BodyKey,
            &[("api_key", "a"), ("key1", "b")],
            "auth_type",
        ),
        (CredentialsKind::NoKey, &[], "auth_type"),
        (CredentialsKind::HeaderKey, &[], "api_key"),
        (CredentialsKind::HeaderKey, &[("api_key", " ")], "api_key"),
        (
            CredentialsKind::HeaderKey,
            &[("api_key", "a"), ("key1", "b")],
            "key1",
        ),
    ];
    for (kind, members, expected) in table {
        match check(kind, members, Some(&EXAMPLE)) {
            Err(Refusal::InvalidFormat { member, .. }) => {
                assert_eq!(member, format!("connector_account_details.{expected}"));
            }
            other => panic!("{kind} {members:?}: {other:?}"),
        }
    }
}

#[test]
fn temporary_ones_fit_every_connector() {
    let credentials = check(CredentialsKind::TemporaryAuth, &[], Some(&EXAMPLE));
    let credentials = credentials.expect("credentials");
    assert!(!credentials.are_real());
    assert_eq!(credentials, Credentials::temporary());
    assert_eq!(
        Credentials::from_json(&credentials.to_json()),
        Ok(credentials)
    );
}

#[test]
fn keys_by_currency_are_an_object() {
    let map = r#"{"USD":{"api_key":"a"}}"#;
    let credentials = check(
        CredentialsKind::CurrencyAuthKey,
        &[("auth_key_map", map)],
        None,
    );
    let credentials = credentials.expect("credentials");
    assert_eq!(
        Credentials::from_json(&credentials.to_json()),
        Ok(credentials.clone())
    );
    assert_eq!(credentials.mask("auth_key_map"), None);
    assert!(
        check(
            CredentialsKind::CurrencyAuthKey,
            &[("auth_key_map", "[]")],
            None
        )
        .is_err()
    );
}

#[test]
fn a_mask_stands_for_the_stored_secret() {
    let pem = "-----BEGIN PRIVATE KEY-----";
    let kind = CredentialsKind::CertificateAuth;
    let stored = check(kind, &[("certificate", pem), ("private_key", pem)], None);
    let stored = stored.expect("credentials");
    let input = |kind, members: &[(&str, &str)]| CredentialsInput {
        kind,
        members: members
            .iter()
            .map(|(name, text)| ((*name).to_owned(), SecretText::new(*text)))
            .collect(),
    };
    let shown = |name: &str| stored.mask(name).expect("it is shown");
    let (certificate, private_key) = (shown("certificate"), shown("private_key"));
    let read = [
        ("certificate", certificate.as_str()),
        ("private_key", private_key.as_str()),
    ];
    let meant = stored.meant_by(input(kind, &read)).expect("its masks");
    assert_eq!(Credentials::check(meant, None), Ok(stored.clone()));
    let other = stored.meant_by(input(kind, &[("private_key", "--********--")]));
    assert!(matches!(other, Err(Refusal::InvalidValue { .. })));
    assert!(
        Credentials::temporary()
            .meant_by(input(kind, &read))
            .is_err()
    );

    let kind = CredentialsKind::CurrencyAuthKey;
    let map = r#"{"USD":{"api_key":"a"}}"#;
    let stored = check(kind, &[("auth_key_map", map)], None).expect("credentials");
    let meant = stored.meant_by(input(kind, &[])).expect("nothing is shown");
    assert_eq!(Credentials::check(meant, None), Ok(stored));
}

#[test]
fn another_text_is_not_read_as_credentials() {
    // A member that isn't a text could not be written back unchanged.
    let later = r#"{"auth_type":"HeaderKey","api_key":"a","limits":{"most":7}}"#;
    for text in ["", "[]", "{}", r#"{"auth_type":"Other"}"#, later] {
        assert_eq!(
            Credentials::from_json(&SecretText::new(text)),
            Err(UnreadableSecrets)
        );
    }
}
