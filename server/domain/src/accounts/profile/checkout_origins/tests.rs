use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::timestamp::Timestamp;

use super::*;
use crate::accounts::merchant::{MerchantAccount, MerchantAccountUpdate, NewMerchantAccount};
use crate::accounts::organization::Organization;

fn profile() -> Profile {
    let random = SeededRandom::new(1);
    let now = Timestamp::EPOCH;
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let organization = Organization::standard(None, now, &random);
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(input, &organization, true, environment, now, &random);
    let account = made.expect("an account").account;
    Profile::create(ProfileInput::default(), &account, now, &random).expect("a profile")
}

fn input(origins: &[&str]) -> ProfileInput {
    ProfileInput {
        checkout_origins: Some(origins.iter().map(|origin| (*origin).to_owned()).collect()),
        ..ProfileInput::default()
    }
}

#[test]
fn origins_are_read_as_browsers_write_them() {
    let table = [
        ("https://shop.example", Some("https://shop.example")),
        ("HTTPS://Shop.Example:443", Some("https://shop.example")),
        (
            "https://shop.example:8443",
            Some("https://shop.example:8443"),
        ),
        (
            "https://xn--bcher-kva.example",
            Some("https://xn--bcher-kva.example"),
        ),
        ("https://192.0.2.1", Some("https://192.0.2.1")),
        ("http://localhost:5173", Some("http://localhost:5173")),
        ("http://LOCALHOST", Some("http://localhost")),
        ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
        ("http://shop.example", None),
        ("http://127.0.0.2", None),
        ("http://localhost.shop.example", None),
        ("https://shop.example/", None),
        ("https://shop.example/cart", None),
        ("https://shop.example?a", None),
        ("https://shop.example#a", None),
        ("https://*.shop.example", None),
        ("https://*", None),
        ("https://shop.example.", None),
        ("https://[::1]:8443", None),
        ("https://ada@shop.example", None),
        ("https://shop.example:0", None),
        ("https://shop.example; script-src *", None),
        ("https://shop.example 'none'", None),
        ("https://shop\n.example", None),
        ("https://b\u{fc}cher.example", None),
        ("shop.example", None),
        ("com.example.shop://", None),
        ("javascript:alert(1)", None),
        ("null", None),
        ("*", None),
        ("", None),
    ];
    for (text, origin) in table {
        assert_eq!(read(text).as_deref(), origin, "{text}");
    }
}

#[test]
fn a_list_replaces_the_former_one_and_has_each_origin_once() {
    let now = Timestamp::EPOCH;
    let given = input(&["https://Shop.example", "https://shop.example:443"]);
    let listed = profile().update(given, now).expect("a profile");
    assert_eq!(listed.checkout_origins, ["https://shop.example"]);
    let kept = listed.update(ProfileInput::default(), now);
    assert_eq!(
        kept.expect("a profile").checkout_origins,
        listed.checkout_origins
    );
    let cleared = listed.update(input(&[]), now).expect("a profile");
    assert!(cleared.checkout_origins.is_empty());
}

#[test]
fn wrong_and_too_many_origins_are_refused_by_name() {
    let now = Timestamp::EPOCH;
    let many: Vec<String> = (0..21)
        .map(|number| format!("https://shop{number}.example"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(profile().update(input(&many[..20]), now).is_ok());
    for bad in [&many[..], &["https://shop.example", "shop.example"]] {
        let refused = profile().update(input(bad), now).expect_err("a refusal");
        let message = refused.to_string();
        assert!(message.contains("checkout_origins"), "{message}");
    }
}

#[test]
fn only_a_sandbox_takes_pages_without_a_certificate() {
    let local = input(&["https://shop.example", "http://localhost:5173"]);
    assert_eq!(local.check_environment(Environment::Sandbox), Ok(()));
    let refused = local.check_environment(Environment::Production);
    let message = refused.expect_err("a refusal").to_string();
    assert!(
        message.contains("checkout_origins") && message.contains("only a sandbox"),
        "{message}"
    );
    for good in [input(&["https://shop.example"]), ProfileInput::default()] {
        assert_eq!(good.check_environment(Environment::Production), Ok(()));
    }
}

#[test]
fn without_a_list_only_sandboxes_are_open() {
    let mut profile = profile();
    let embedders = |profile: &Profile, environment| match profile.embedders(environment) {
        Embedders::Anyone => vec!["*".to_owned()],
        Embedders::Listed(origins) => origins.to_vec(),
    };
    assert_eq!(embedders(&profile, Environment::Sandbox), ["*"]);
    assert!(embedders(&profile, Environment::Production).is_empty());
    profile.checkout_origins = vec!["https://shop.example".to_owned()];
    for environment in [Environment::Sandbox, Environment::Production] {
        assert_eq!(embedders(&profile, environment), ["https://shop.example"]);
    }
}
