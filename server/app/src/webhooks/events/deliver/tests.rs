//! The delivered request: equal in every attempt, except for the parts that have to be new.

use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_domain::accounts::profile::{NewProfile, WebhookEndpointInput};
use multirail_domain::accounts::webhook_settings::WebhookSettingsInput;
use multirail_kernel::environment::Environment;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::SeededRandom;

use super::*;

const BODY: &str = r#"{"event_id":"evt_1"}"#;

fn profile(webhook_url: Option<&str>) -> Profile {
    let (now, random) = (Timestamp::EPOCH, SeededRandom::new(1));
    let organization = Organization::standard(None, now, &random);
    let account = NewMerchantAccount {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(account, &organization, true, environment, now, &random);
    let input = NewProfile {
        webhook: Some(WebhookSettingsInput {
            webhook_url: webhook_url.map(str::to_owned),
            ..WebhookSettingsInput::default()
        }),
        custom_headers: Some(vec![("X-Shop".to_owned(), SecretText::new("till 7"))]),
        ..NewProfile::default()
    };
    Profile::create(input, &made.expect("an account").account, now, &random).expect("a profile")
}

fn event(profile: &Profile) -> StoredEvent {
    StoredEvent {
        merchant_id: profile.merchant_id.clone(),
        event_id: EventId::parse("evt_1").expect("an id"),
        profile_id: profile.profile_id.clone(),
        event_type: EventType::PaymentSucceeded,
        object_id: "pay_1".to_owned(),
        endpoint_id: None,
        is_delivered: None,
        created_at: Timestamp::EPOCH,
    }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::EPOCH.plus_seconds(seconds).expect("in range")
}

fn sent(profile: &Profile, wall: Timestamp) -> WebhookRequest {
    prepare(profile, &event(profile), BODY, at(5), wall).expect("an address")
}

#[test]
fn a_retry_differs_in_its_time_and_what_signs_it_only() {
    let profile = profile(Some("https://shop.example/hooks"));
    let (first, second) = (sent(&profile, at(100)), sent(&profile, at(160)));
    assert_eq!(first.url, "https://shop.example/hooks");
    assert_eq!((first.body.as_str(), second.body.as_str()), (BODY, BODY));
    let names: Vec<&str> = first
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let expected = [
        "x-webhook-signature-512",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "x-shop",
    ];
    assert_eq!(names, expected);
    let differing: Vec<&str> = first
        .headers
        .iter()
        .zip(&second.headers)
        .filter(|(one, other)| one != other)
        .map(|((name, _), _)| name.as_str())
        .collect();
    assert_eq!(differing, ["webhook-timestamp", "webhook-signature"]);
    assert_eq!(first.headers[1].1.expose(), "evt_1");
    assert_eq!(first.headers[2].1.expose(), "100", "wall time");
}

#[test]
fn an_endpoint_has_its_own_address_and_secret() {
    let random = SeededRandom::new(7);
    let input = WebhookEndpointInput {
        url: Some("https://books.example/hooks".to_owned()),
        ..WebhookEndpointInput::default()
    };
    let made = profile(Some("https://shop.example/hooks"))
        .with_webhook_endpoint(input, at(1), &random)
        .expect("an endpoint");
    let (profile, endpoint, _) = made;
    let own = sent(&profile, at(100));
    let event = StoredEvent {
        endpoint_id: Some(endpoint.endpoint_id),
        ..event(&profile)
    };
    let further = prepare(&profile, &event, BODY, at(5), at(100)).expect("an address");
    assert_eq!(further.url, "https://books.example/hooks");
    let names = further.headers.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.collect();
    assert!(!names.contains(&"x-shop"), "{names:?}");
    for name in ["x-webhook-signature-512", "webhook-signature"] {
        let value = |request: &WebhookRequest| {
            let mut headers = request.headers.iter();
            let found = headers.find(|(known, _)| known == name);
            found.expect("a signature").1.expose().to_owned()
        };
        assert_ne!(value(&own), value(&further), "{name}");
    }
}

#[test]
fn without_an_address_nothing_is_sent() {
    let profile = profile(None);
    let event = event(&profile);
    assert!(prepare(&profile, &event, BODY, at(5), at(5)).is_none());
}
