use multirail_kernel::environment::Environment;
use multirail_kernel::random::SeededRandom;

use super::*;
use crate::accounts::merchant::{MerchantAccountUpdate, NewMerchantAccount};
use crate::accounts::organization::Organization;

fn merchant() -> MerchantAccount {
    let random = SeededRandom::new(1);
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate {
            webhook: Some(WebhookSettingsInput {
                webhook_url: Some("https://shop.example/hooks".to_owned()),
                webhook_password: Some(SecretText::new("sesame")),
                ..WebhookSettingsInput::default()
            }),
            ..MerchantAccountUpdate::default()
        },
    };
    let organization = Organization::standard(None, Timestamp::EPOCH, &random);
    let environment = Environment::Sandbox;
    MerchantAccount::create(
        input,
        &organization,
        true,
        environment,
        Timestamp::EPOCH,
        &random,
    )
    .expect("an account")
    .account
}

fn create(input: NewProfile) -> Result<Profile, Refusal> {
    Profile::create(input, &merchant(), Timestamp::EPOCH, &SeededRandom::new(3))
}

#[test]
fn defaults_of_a_bare_profile() {
    let profile = create(NewProfile::default()).expect("a profile");
    insta::assert_json_snapshot!(profile);
    let key = profile.secrets.payment_response_hash_key.expect("a key");
    assert_eq!(key.expose().len(), 64);
}

#[test]
fn times_have_their_ranges() {
    let session = |seconds| {
        create(NewProfile {
            session_expiry: Some(seconds),
            ..NewProfile::default()
        })
        .is_ok()
    };
    let fulfillment = |seconds| {
        create(NewProfile {
            intent_fulfillment_time: Some(seconds),
            ..NewProfile::default()
        })
        .is_ok()
    };
    for (seconds, expected) in [
        (59, false),
        (60, true),
        (7_890_000, true),
        (7_890_001, false),
    ] {
        assert_eq!(session(seconds), expected, "session_expiry {seconds}");
    }
    for (seconds, expected) in [(59, false), (60, true), (1800, true), (1801, false)] {
        assert_eq!(
            fulfillment(seconds),
            expected,
            "intent_fulfillment_time {seconds}"
        );
    }
}

#[test]
fn own_webhook_settings_take_nothing_from_the_merchant() {
    let profile = create(NewProfile {
        webhook: Some(WebhookSettingsInput {
            webhook_url: Some("https://other.example/hooks".to_owned()),
            ..WebhookSettingsInput::default()
        }),
        ..NewProfile::default()
    })
    .expect("a profile");
    assert_eq!(profile.secrets.webhook_password, None);
    let webhook = profile.webhook.expect("settings");
    assert_eq!(
        webhook.webhook_url.as_deref(),
        Some("https://other.example/hooks")
    );
}

#[test]
fn an_update_keeps_what_it_does_not_name() {
    let profile = create(NewProfile {
        custom_headers: Some(vec![("x-shop".to_owned(), SecretText::new("1"))]),
        ..NewProfile::default()
    })
    .expect("a profile");
    let later = Timestamp::EPOCH.plus_seconds(1).expect("in range");
    let updated = profile.update(ProfileUpdate::default(), later);
    let expected = Profile {
        modified_at: later,
        ..profile.clone()
    };
    assert_eq!(updated, Ok(expected));
    let cleared = profile.update(
        ProfileUpdate {
            custom_headers: Some(Vec::new()),
            ..ProfileUpdate::default()
        },
        later,
    );
    assert!(
        cleared
            .expect("a profile")
            .secrets
            .custom_headers
            .is_empty()
    );
}

#[test]
fn webhook_settings_are_replaced_but_the_password_stays() {
    let profile = create(NewProfile::default()).expect("a profile");
    let update = ProfileUpdate {
        webhook: Some(WebhookSettingsInput {
            webhook_username: Some("shop".to_owned()),
            ..WebhookSettingsInput::default()
        }),
        ..ProfileUpdate::default()
    };
    let updated = profile.update(update, Timestamp::EPOCH).expect("a profile");
    let webhook = updated.webhook.expect("settings");
    assert_eq!(webhook.webhook_username.as_deref(), Some("shop"));
    assert_eq!(webhook.webhook_url, None);
    assert_eq!(
        updated.secrets.webhook_password,
        Some(SecretText::new("sesame"))
    );
}

#[test]
fn a_category_is_four_digits() {
    let with = |code: &str| {
        create(NewProfile {
            notes: [("merchant_category_code".to_owned(), json!(code))]
                .into_iter()
                .collect(),
            ..NewProfile::default()
        })
    };
    assert!(with("5942").is_ok());
    for bad in ["594", "59421", "59a2", ""] {
        assert!(
            matches!(with(bad), Err(Refusal::InvalidFormat { .. })),
            "{bad}"
        );
    }
}

#[test]
fn names_are_not_empty() {
    for name in ["", "  ", &"n".repeat(65)] {
        let input = NewProfile {
            profile_name: Some(name.to_owned()),
            ..NewProfile::default()
        };
        assert!(matches!(create(input), Err(Refusal::InvalidFormat { .. })));
    }
}

#[test]
fn which_profile_something_new_belongs_to() {
    let random = SeededRandom::new(9);
    let mut merchant = merchant();
    let mut profiles = Vec::new();
    for name in ["US_food", "DE_books"] {
        let input = NewProfile {
            profile_name: Some(name.to_owned()),
            ..NewProfile::default()
        };
        let profile = Profile::create(input, &merchant, Timestamp::EPOCH, &random);
        profiles.push(profile.expect("a profile"));
    }
    let books = profiles[1].profile_id.clone();
    let name = |chosen: Result<&Profile, Refusal>| chosen.map(|p| p.profile_name.clone());
    let business = |country: &str, label| Some((country.parse().expect("a country"), label));
    let not_found = Err(Refusal::not_found(Object::BusinessProfile));

    merchant.default_profile = None;
    let chosen = choose_profile(Some(&books), &merchant, None, &profiles);
    assert_eq!(name(chosen), Ok("DE_books".to_owned()));
    let chosen = choose_profile(None, &merchant, business("US", "food"), &profiles);
    assert_eq!(name(chosen), Ok("US_food".to_owned()));
    let chosen = choose_profile(None, &merchant, business("US", "books"), &profiles);
    assert_eq!(name(chosen), Err(Refusal::missing("profile_id")));
    let chosen = choose_profile(None, &merchant, None, &profiles[..1]);
    assert_eq!(name(chosen), Ok("US_food".to_owned()));
    let other = ProfileId::parse("pro_other").expect("an id");
    assert_eq!(
        name(choose_profile(Some(&other), &merchant, None, &profiles)),
        not_found
    );

    merchant.default_profile = Some(books);
    let chosen = choose_profile(None, &merchant, business("US", "food"), &profiles);
    assert_eq!(name(chosen), Ok("DE_books".to_owned()));
}

#[test]
fn at_most_two_webhook_secrets_are_valid_at_once() {
    let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds).expect("in range");
    let random = SeededRandom::new(11);
    let first = create(NewProfile::default()).expect("a profile");
    let second = first.rotate_webhook_secret(at(10), &random, 100);
    let second = second.expect("a profile");
    let secret = |profile: &Profile, index: usize| profile.secrets.webhook_secrets[index].clone();
    assert_eq!(second.secrets.webhook_secrets.len(), 2);
    assert_eq!(secret(&second, 1).secret, secret(&first, 0).secret);
    assert_eq!(secret(&second, 1).expires_at, Some(at(110)));
    assert_eq!(secret(&second, 0).expires_at, None);
    assert_eq!(
        (secret(&second, 0).created_at, second.modified_at),
        (at(10), at(10))
    );
    assert!(secret(&second, 1).is_valid(at(109)) && !secret(&second, 1).is_valid(at(110)));

    let third = second.rotate_webhook_secret(at(20), &random, 100);
    let third = third.expect("a profile");
    assert_eq!(
        third.secrets.webhook_secrets.len(),
        2,
        "the first one ended"
    );
    assert_eq!(secret(&third, 1).secret, secret(&second, 0).secret);

    let fourth = third.rotate_webhook_secret(at(30), &random, 0);
    let fourth = fourth.expect("a profile");
    assert_eq!(fourth.secrets.webhook_secrets.len(), 1, "all others ended");
    for seconds in [-1, 2_592_001] {
        let refused = first.rotate_webhook_secret(at(10), &random, seconds);
        let message = refused.expect_err("a refusal").to_string();
        assert!(message.contains("previous_valid_for_seconds"), "{message}");
    }
}

#[test]
fn secrets_rest_apart_from_the_record() {
    let profile = create(NewProfile {
        custom_headers: Some(vec![(
            "authorization".to_owned(),
            SecretText::new("Basic abc"),
        )]),
        ..NewProfile::default()
    })
    .expect("a profile");
    let record = serde_json::to_string(&profile).expect("plain JSON");
    assert!(!record.contains("Basic abc") && !record.contains("sesame"));
    let mut restored: Profile = serde_json::from_str(&record).expect("a profile");
    restored.secrets =
        ProfileSecrets::from_sealable(&profile.secrets.to_sealable()).expect("secrets");
    assert_eq!(restored, profile);
}

/// RFC 4231, test case 2: a short key, as text.
#[test]
fn what_is_ours_is_signed_by_hmac_sha512() {
    let signature = |key: Option<&str>| {
        let secrets = ProfileSecrets {
            payment_response_hash_key: key.map(SecretText::new),
            ..ProfileSecrets::default()
        };
        secrets.signature_512(b"what do ya want for nothing?")
    };
    let expected = "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6f\
                    dcaeab1a34d4a6b4b636e070a38bce737";
    assert_eq!(signature(Some("Jefe")).as_deref(), Some(expected));
    assert_eq!((signature(Some("")), signature(None)), (None, None));
}
