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
