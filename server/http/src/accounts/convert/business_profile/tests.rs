//! Business profiles: the members of a request come back in the answer.

use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::SeededRandom;

use super::*;
use serde_json::{Value, json};

fn profile(input: ProfileInput) -> ProfileView {
    let random = SeededRandom::new(1);
    let new = NewMerchantAccount {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let organization = Organization::standard(None, Timestamp::EPOCH, &random);
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(
        new,
        &organization,
        true,
        environment,
        Timestamp::EPOCH,
        &random,
    );
    let merchant = made.expect("an account").account;
    let made = Profile::create(input, &merchant, Timestamp::EPOCH, &random);
    ProfileView {
        profile: made.expect("a profile"),
        delivery: EndpointHealth::default(),
    }
}

fn look() -> Value {
    json!({"theme": "#1a73e8", "logo": "https://bookshop.example/logo.png",
            "seller_name": "The bookshop", "display_sdk_only": false, "details_layout": "layout2",
            "transaction_details": [{"key": "Table", "value": "17",
                "ui_configuration": {"position": 1, "is_key_bold": true, "is_value_bold": false}}],
            "payment_button_text": "Pay the bill", "payment_button_colour": "#000",
            "payment_button_text_colour": "#fff", "background_colour": "#eeeeee",
            "payment_form_header_text": "Your card", "custom_message_for_card_terms": "We keep nothing.",
            "show_card_terms": "always", "skip_status_screen": true,
            "enable_button_only_on_form_ready": true})
}

fn everything() -> Value {
    json!({
        "profile_name": "outlet",
        "return_url": "https://outlet.bookshop.example/paid",
        "return_url_schemes": ["com.example.shop"],
        "checkout_origins": ["https://shop.bookshop.example"],
        "enable_payment_response_hash": false,
        "payment_response_hash_key": "a key of the merchant",
        "redirect_to_merchant_with_http_post": true,
        "webhook_details": {"webhook_url": "https://bookshop.example/notifications"},
        "metadata": {"floor": 2},
        "session_expiry": 3600,
        "payment_link_config": look(),
        "intent_fulfillment_time": 600,
        "use_billing_as_payment_method_billing": false,
        "collect_shipping_details_from_wallet_connector": true,
        "collect_billing_details_from_wallet_connector": true,
        "always_collect_shipping_details_from_wallet_connector": true,
        "always_collect_billing_details_from_wallet_connector": true,
        "is_connector_agnostic_mit_enabled": true,
        "is_manual_retry_enabled": true,
        "is_auto_retries_enabled": true,
        "max_auto_retries_enabled": 3,
        "force_3ds_challenge": true,
        "always_request_extended_authorization": true,
        "always_enable_overcapture": false,
        "merchant_business_country": "DE",
        "merchant_category_code": "5942",
        "applepay_verified_domains": ["bookshop.example"],
    })
}

#[test]
fn what_was_sent_comes_back_from_create_and_update() {
    let wire = serde_json::from_value(everything()).expect("a request");
    let created = create(wire).expect("an input");
    let wire = serde_json::from_value(everything()).expect("a request");
    assert_eq!(update(wire).expect("an input"), created);
    let answered = serde_json::to_value(answer(&profile(created))).expect("plain JSON");
    for (member, value) in everything().as_object().expect("an object") {
        assert_eq!(&answered[member], value, "{member}");
    }
}

#[test]
fn headers_are_answered_masked() {
    let with = |headers: Value| {
        let wire = json!({"outgoing_webhook_custom_http_headers": headers});
        create(serde_json::from_value(wire).expect("a request"))
    };
    let input = with(json!({"x-shop": "outlet-7f3a91c2d4"})).expect("an input");
    let answered = answer(&profile(input)).outgoing_webhook_custom_http_headers;
    assert_eq!(
        json!(answered.expect("headers")),
        json!({"x-shop": "ou********d4"})
    );
    let bare = profile(ProfileInput::default());
    assert_eq!(answer(&bare).outgoing_webhook_custom_http_headers, None);
}

#[test]
fn a_bare_profile_has_the_defaults_of_the_contract() {
    let bare = answer(&profile(ProfileInput::default()));
    assert!(bare.enable_payment_response_hash);
    assert!(bare.use_billing_as_payment_method_billing);
    assert!(!bare.is_connector_agnostic_mit_enabled && !bare.force_3ds_challenge);
    assert_eq!(
        (bare.session_expiry, bare.intent_fulfillment_time),
        (900, 900)
    );
    assert_eq!(bare.is_manual_retry_enabled, None);
}

#[test]
fn how_deliveries_stand_is_said_in_a_word() {
    let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds);
    let word = |failing_since, paused_at| {
        let failures = 12;
        let health = EndpointHealth {
            failing_since,
            failures,
            paused_at,
        };
        serde_json::to_value(webhook_delivery(health)).expect("plain JSON")
    };
    assert_eq!(
        serde_json::to_value(webhook_delivery(EndpointHealth::default())).expect("plain JSON"),
        json!({"state": "active", "failing_since": null, "failures": 0, "paused_at": null})
    );
    assert_eq!(word(at(1), None)["state"], "failing");
    assert_eq!(
        word(at(1), at(2)),
        json!({
            "state": "paused",
            "failing_since": "1970-01-01T00:00:01.000Z",
            "failures": 12,
            "paused_at": "1970-01-01T00:00:02.000Z",
        })
    );
}
