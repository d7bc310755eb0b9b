use multirail_kernel::environment::Environment;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::SeededRandom;

use super::*;
use crate::accounts::merchant::{MerchantAccount, MerchantAccountUpdate, NewMerchantAccount};
use crate::accounts::organization::Organization;
use crate::accounts::profile::NewProfile;

fn profile() -> Profile {
    let (now, random) = (Timestamp::EPOCH, SeededRandom::new(1));
    let organization = Organization::standard(None, now, &random);
    let account = NewMerchantAccount {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(account, &organization, true, environment, now, &random);
    let account = made.expect("an account").account;
    Profile::create(NewProfile::default(), &account, now, &random).expect("a profile")
}

fn input(words: &[&str]) -> WebhookEndpointInput {
    WebhookEndpointInput {
        url: Some("https://books.example/hooks".to_owned()),
        event_types: Some(words.iter().map(|word| (*word).to_owned()).collect()),
        ..WebhookEndpointInput::default()
    }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(seconds).expect("in range")
}

#[test]
fn an_endpoint_gets_the_types_that_it_has_chosen() {
    let random = SeededRandom::new(2);
    let words = ["refund_failed", "payout_success", "refund_failed"];
    let made = profile().with_webhook_endpoint(input(&words), at(1), &random);
    let (profile, endpoint, secret) = made.expect("an endpoint");
    assert_eq!(endpoint.event_types, ["refund_failed", "payout_success"]);
    assert!(endpoint.wants(EventType::RefundFailed));
    assert!(!endpoint.wants(EventType::RefundSucceeded));
    let id = &endpoint.endpoint_id;
    let signs = profile.endpoint_secrets(id);
    assert_eq!(signs.webhook_secrets, std::slice::from_ref(&secret));
    assert_eq!(signs.payment_response_hash_key, Some(secret.secret));
    let address = profile.delivery_address(Some(id));
    assert_eq!(address, Some("https://books.example/hooks"));
    assert_eq!(
        profile.delivery_address(None),
        None,
        "it has no own address"
    );

    let all = WebhookEndpointInput {
        event_types: Some(Vec::new()),
        ..WebhookEndpointInput::default()
    };
    let (profile, all) = profile.with_changed_endpoint(id, all, at(2)).expect("it");
    assert!(all.wants(EventType::RefundSucceeded));
    assert_eq!((all.created_at, all.modified_at), (at(1), at(2)));

    let off = WebhookEndpointInput {
        is_disabled: Some(true),
        ..WebhookEndpointInput::default()
    };
    let (profile, off) = profile.with_changed_endpoint(id, off, at(3)).expect("it");
    assert!(!off.wants(EventType::RefundSucceeded));
    assert_eq!(profile.delivery_address(Some(id)), None);

    let without = profile.without_endpoint(id, at(4)).expect("it");
    assert!(without.webhook_endpoints.is_empty());
    assert!(without.secrets.endpoint_secrets.is_empty());
    let gone = Err(Refusal::not_found(Object::WebhookEndpoint));
    assert_eq!(without.without_endpoint(id, at(5)), gone);
}

#[test]
fn waiting_deliveries_become_due_only_at_an_endpoint_that_is_enabled() {
    let random = SeededRandom::new(2);
    let made = profile().with_webhook_endpoint(input(&[]), at(1), &random);
    let (_, on, _) = made.expect("an endpoint");
    let off = WebhookEndpoint {
        is_disabled: true,
        ..on.clone()
    };
    let (here, there) = (&*on.url, "https://archive.example/hooks");
    let resumes = |url: Option<&str>, is_disabled| {
        let change = WebhookEndpointInput {
            url: url.map(str::to_owned),
            is_disabled,
            ..WebhookEndpointInput::default()
        };
        [on.is_resumed_by(&change), off.is_resumed_by(&change)]
    };
    assert_eq!(resumes(None, None), [false, false], "only a note");
    assert_eq!(resumes(Some(here), None), [false, false]);
    assert_eq!(resumes(Some(there), None), [true, false], "it moves");
    assert_eq!(resumes(None, Some(false)), [true, true], "it is enabled");
    assert_eq!(resumes(Some(there), Some(false)), [true, true]);
    assert_eq!(resumes(Some(there), Some(true)), [false, false]);
}

#[test]
fn bad_endpoints_are_refused_by_the_member() {
    let random = SeededRandom::new(2);
    let add = |profile: &Profile, input| profile.with_webhook_endpoint(input, at(1), &random);
    let nothing = add(&profile(), WebhookEndpointInput::default());
    assert_eq!(nothing, Err(Refusal::missing("webhook_url")));
    let bad = WebhookEndpointInput {
        url: Some("books.example/hooks".to_owned()),
        ..input(&[])
    };
    let refusal = add(&profile(), bad).expect_err("a refusal").to_string();
    assert!(refusal.contains("webhook_url"), "{refusal}");
    let mut full = profile();
    for _ in 0..AT_MOST {
        full = add(&full, input(&[])).expect("one more").0;
    }
    let refusal = add(&full, input(&[])).expect_err("too many").to_string();
    assert!(
        refusal.contains("at most 16 webhook endpoints"),
        "{refusal}"
    );
}

#[test]
fn a_blank_note_is_none() {
    let random = SeededRandom::new(2);
    let noted = WebhookEndpointInput {
        description: Some("Accounting".to_owned()),
        ..input(&[])
    };
    let made = profile().with_webhook_endpoint(noted, at(1), &random);
    let (profile, endpoint, _) = made.expect("an endpoint");
    assert_eq!(endpoint.description.as_deref(), Some("Accounting"));
    let blank = WebhookEndpointInput {
        description: Some(" ".to_owned()),
        ..WebhookEndpointInput::default()
    };
    let changed = profile.with_changed_endpoint(&endpoint.endpoint_id, blank, at(2));
    assert_eq!(changed.expect("it").1.description, None);
}
