use super::*;

fn headers(pairs: &[(&str, &str)]) -> Result<Vec<CustomHeader>, Refusal> {
    let owned = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), SecretText::new(*value)));
    CustomHeader::read_all(owned.collect(), &[])
}

#[test]
fn only_statuses_with_an_event_can_be_asked_for() {
    for status in PaymentStatus::ALL {
        let input = WebhookSettingsInput {
            payment_statuses_enabled: Some(vec![*status]),
            ..WebhookSettingsInput::default()
        };
        let answer = WebhookSettings::default().updated(input);
        assert_eq!(answer.is_ok(), status.event().is_some(), "{status}");
        if let Err(refusal) = answer {
            assert!(matches!(refusal, Refusal::InvalidValue { .. }));
            assert!(refusal.to_string().contains(status.as_str()));
        }
    }
}

#[test]
fn refunds_and_payouts_have_their_own_words() {
    let asked = |refund: &str, payouts: &[&str]| WebhookSettingsInput {
        refund_statuses_enabled: Some(vec![refund.to_owned()]),
        payout_statuses_enabled: Some(payouts.iter().map(|&word| word.to_owned()).collect()),
        ..WebhookSettingsInput::default()
    };
    let none = WebhookSettings::default();
    assert!(none.updated(asked("success", &[])).is_ok());
    assert!(none.updated(asked("pending", &[])).is_err());
    let strange = none.updated(asked("success", &["requires_confirmation"]));
    assert!(matches!(strange, Err(Refusal::InvalidValue { .. })));
    let payouts = none.updated(asked("success", &["reversed"]));
    assert!(matches!(payouts, Err(Refusal::FlowNotSupported { .. })));
    // A stored value may be sent back.
    let stored = WebhookSettings {
        payout_statuses_enabled: vec!["reversed".to_owned()],
        ..none
    };
    assert!(stored.updated(asked("success", &["reversed"])).is_ok());
}

#[test]
fn without_a_list_four_statuses_are_announced() {
    let settings = WebhookSettings::default();
    let announced: Vec<&str> = PaymentStatus::ALL
        .iter()
        .filter(|status| settings.announces_payment(**status))
        .map(|status| status.as_str())
        .collect();
    assert_eq!(
        announced,
        [
            "requires_merchant_action",
            "succeeded",
            "partially_captured",
            "failed"
        ]
    );
    let settings = WebhookSettings {
        payment_statuses_enabled: vec![PaymentStatus::Cancelled],
        ..settings
    };
    assert!(settings.announces_payment(PaymentStatus::Cancelled));
    assert!(!settings.announces_payment(PaymentStatus::Succeeded));
}

#[test]
fn refunds_are_announced_by_either_spelling() {
    let announced = |words: &[&str]| -> Vec<&str> {
        let settings = WebhookSettings {
            refund_statuses_enabled: words.iter().map(|word| (*word).to_owned()).collect(),
            ..WebhookSettings::default()
        };
        let all = RefundStatus::ALL.iter();
        all.filter(|status| settings.announces_refund(**status))
            .filter(|status| status.event().is_some())
            .map(|status| status.as_str())
            .collect()
    };
    assert_eq!(announced(&[]), ["succeeded", "failed"]);
    for word in ["succeeded", "success"] {
        assert_eq!(announced(&[word]), ["succeeded"], "{word}");
    }
    for word in ["failed", "failure", "transaction_failure"] {
        assert_eq!(announced(&[word]), ["failed"], "{word}");
    }
    let both = announced(&["transaction_failure", "success"]);
    assert_eq!(both, ["succeeded", "failed"]);
    for word in ANNOUNCED_REFUND_STATUSES {
        assert_eq!(announced(&[word]).len(), 1, "{word} announces nothing");
    }
}

#[test]
fn without_an_address_nothing_is_wanted() {
    let succeeded = AnnouncedStatus::Payment(PaymentStatus::Succeeded);
    let settings = WebhookSettings::default();
    assert!(!settings.wants(succeeded));
    let settings = WebhookSettings {
        webhook_url: Some("https://shop.example/hooks".to_owned()),
        ..settings
    };
    assert!(settings.wants(succeeded));
    assert!(!settings.wants(AnnouncedStatus::Payment(PaymentStatus::Cancelled)));
}

#[test]
fn an_update_keeps_what_it_does_not_name() {
    let first = WebhookSettings::default()
        .updated(WebhookSettingsInput {
            webhook_url: Some("https://shop.example/hooks".to_owned()),
            webhook_username: Some("multirail".to_owned()),
            ..WebhookSettingsInput::default()
        })
        .expect("settings");
    let second = first
        .updated(WebhookSettingsInput {
            webhook_url: Some("https://shop.example/other".to_owned()),
            ..WebhookSettingsInput::default()
        })
        .expect("settings");
    assert_eq!(second.webhook_username, first.webhook_username);
    let bad = WebhookSettingsInput {
        webhook_url: Some("shop.example".to_owned()),
        ..WebhookSettingsInput::default()
    };
    assert!(matches!(
        first.updated(bad),
        Err(Refusal::InvalidFormat { .. })
    ));
}

#[test]
fn custom_headers_are_few_and_harmless() {
    let read = headers(&[("X-Shop", "1"), ("Authorization", "Basic abc")]).expect("headers");
    assert_eq!(read[1].name, "authorization");
    assert!(!format!("{read:?}").contains("Basic"));
    for bad in [
        &[("a", ""), ("b", ""), ("c", ""), ("d", ""), ("e", "")][..],
        &[("X-Shop", "1"), ("x-shop", "2")],
        &[("", "1")],
        &[("x shop", "1")],
        &[("x:shop", "1")],
        &[("x-shop", "1\r\nhost: evil.example")],
        &[("x-shop", " 1")],
        &[("x-shop", "ä")],
        &[("Host", "evil.example")],
        &[("Content-Type", "text/plain")],
        &[("X-Webhook-Signature-512", "forged")],
        &[("webhook-id", "forged")],
    ] {
        assert!(headers(bad).is_err(), "{bad:?}");
    }
}
