//! Tests of the hand-written parts and of the generated types. They stand outside of the crate, which would be compiled
//! for them once more.

use multirail_types::*;

#[test]
fn secrets_do_not_print_and_travel_as_text() {
    let secret = Secret::new("4111111111111111");
    assert_eq!(format!("{secret:?} {secret}"), "Secret(***) ***");
    assert_eq!(secret.expose(), "4111111111111111");
    assert_eq!(
        serde_json::to_string(&secret).unwrap(),
        r#""4111111111111111""#
    );
    assert_eq!(
        serde_json::from_str::<Secret>(r#""x""#).unwrap().expose(),
        "x"
    );
}

#[test]
fn unknown_words_survive_a_round_trip() {
    let known: PaymentStatus = serde_json::from_str(r#""requires_capture""#).unwrap();
    assert_eq!(known, PaymentStatus::RequiresCapture);
    let later: PaymentStatus = serde_json::from_str(r#""from_the_future""#).unwrap();
    assert_eq!(later, PaymentStatus::Unknown("from_the_future".to_owned()));
    assert_eq!(
        serde_json::to_string(&later).unwrap(),
        r#""from_the_future""#
    );
    assert_eq!(
        "requires_capture"
            .parse::<PaymentStatus>()
            .unwrap()
            .to_string(),
        "requires_capture"
    );
    assert!(
        PaymentStatus::ALL
            .iter()
            .all(|status| !matches!(status, PaymentStatus::Unknown(_)))
    );
}

#[test]
fn moments_have_three_decimals() {
    let at = "2026-01-05T11:11:12+01:00"
        .parse::<chrono::DateTime<chrono::Utc>>()
        .unwrap();
    let health = WebhookDeliveryHealth {
        state: WebhookDeliveryState::Failing,
        failing_since: Some(at),
        failures: 1,
        paused_at: None,
    };
    assert_eq!(
        serde_json::to_string(&health).unwrap(),
        r#"{"state":"failing","failing_since":"2026-01-05T10:11:12.000Z","failures":1,"paused_at":null}"#
    );
    let clock = SandboxClock {
        now: at,
        advanced_seconds: 7,
    };
    assert_eq!(
        serde_json::to_string(&clock).unwrap(),
        r#"{"now":"2026-01-05T10:11:12.000Z","advanced_seconds":7}"#
    );
}

#[test]
fn recurring_details_do_not_print() {
    let details: RecurringDetails = serde_json::from_value(serde_json::json!({
        "type": "network_transaction_id_and_card_details", "data": { "card_number": "4111111111111111" },
    }))
    .expect("recurring details");
    let printed = format!("{details:?}");
    assert!(!printed.contains("4111"), "{printed}");
    let written = serde_json::to_value(&details).expect("JSON");
    assert_eq!(written["data"]["card_number"], "4111111111111111");
}

#[test]
fn secrets_of_answers_do_not_print() {
    let codes = TwoFactorRecoveryCodes {
        recovery_codes: vec!["q8f2-77kd".to_owned()],
    };
    assert_eq!(
        format!("{codes:?}"),
        "TwoFactorRecoveryCodes { recovery_codes: Secret(***) }"
    );
    let begun = TwoFactorBegun {
        secret: "JBSWY3DP".to_owned(),
        totp_url: "otpauth://totp/multirail?secret=JBSWY3DP".to_owned(),
    };
    assert_eq!(
        format!("{begun:?}"),
        "TwoFactorBegun { secret: Secret(***), totp_url: Secret(***) }"
    );
    // Programs read them as they are.
    assert_eq!(begun.secret, "JBSWY3DP");
    let written = serde_json::to_value(&begun).expect("JSON");
    assert_eq!(written["secret"], "JBSWY3DP");

    let key: ApiKeyCreated = serde_json::from_value(serde_json::json!({
        "key_id": "key_1", "merchant_id": "merchant_1", "name": "Shop", "api_key": "snd_q8f277kd",
        "created": "2026-01-05T10:00:00.000Z", "expiration": "never",
    }))
    .expect("an API key");
    let printed = format!("{key:?} {key:#?}");
    assert!(printed.contains("key_1"), "{printed}");
    assert!(!printed.contains("q8f277kd"), "{printed}");

    let endpoint: WebhookEndpointCreated = serde_json::from_value(serde_json::json!({
        "webhook_endpoint_id": "we_1", "profile_id": "pro_1", "webhook_url": "https://shop.example",
        "event_types": [], "disabled": false, "secret": "whsec_q8f277kd",
        "webhook_delivery": { "state": "active", "failing_since": null, "failures": 0, "paused_at": null },
        "created": "2026-01-05T10:00:00.000Z", "modified": "2026-01-05T10:00:00.000Z",
    }))
    .expect("a webhook endpoint");
    let printed = format!("{endpoint:?}");
    assert!(printed.contains("we_1"), "{printed}");
    assert!(!printed.contains("q8f277kd"), "{printed}");
}

/// A variant of an enumeration has a secret of its own, and a payment perhaps none.
#[test]
fn an_optional_secret_prints_whether_it_is_there() {
    let klarna: SessionToken = serde_json::from_value(serde_json::json!({
        "wallet_name": "klarna", "session_id": "kp_1", "session_token": "q8f277kd",
    }))
    .expect("a session token");
    assert_eq!(
        format!("{klarna:?}"),
        "Klarna { session_id: \"kp_1\", session_token: Secret(***) }"
    );
    let mut account = SavedBankTransfer {
        bank_account_number: None,
        bank_routing_number: None,
        bank_sort_code: None,
        iban: Some("DE89370400440532013000".to_owned()),
        bic: None,
        pix_key: None,
        tax_id: None,
        bank_branch: None,
        bank_name: None,
        bank_country_code: None,
        bank_city: None,
        account_holder_name: None,
    };
    let printed = format!("{account:?}");
    assert!(printed.contains("iban: Some(Secret(***))"), "{printed}");
    account.iban = None;
    let printed = format!("{account:?}");
    assert!(printed.contains("iban: None"), "{printed}");
}
