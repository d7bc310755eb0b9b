use multirail_kernel::currency::Currency;
use multirail_kernel::environment::Environment;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::connector::CredentialsKind;
use multirail_sdk::connector::description::{EXAMPLE, WITH_SETTINGS};
use multirail_sdk::payment_method::PaymentMethod;

use super::*;
use crate::accounts::connector_account::PaymentMethodEnabled;
use crate::accounts::merchant::{MerchantAccount, MerchantAccountUpdate, NewMerchantAccount};
use crate::accounts::organization::Organization;
use serde_json::json;

const QUERY: PaymentQuery = PaymentQuery {
    payment_method: PaymentMethod::Card,
    payment_method_type: None,
    card_network: Some(Network::Visa),
    currency: Currency::USD,
    country: None,
    amount: 6540,
    recurs: false,
};

fn profile() -> Profile {
    let random = SeededRandom::new(1);
    let input = NewMerchantAccount {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let organization = Organization::standard(None, Timestamp::EPOCH, &random);
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(
        input,
        &organization,
        true,
        environment,
        Timestamp::EPOCH,
        &random,
    );
    made.expect("an account").profiles.remove(0)
}

fn key() -> Option<CredentialsInput> {
    Some(CredentialsInput {
        kind: CredentialsKind::HeaderKey,
        members: [(
            "api_key".to_owned(),
            SecretText::new("sim_0123456789abcdef"),
        )]
        .into(),
    })
}

fn create(settings: ConnectorAccountUpdate) -> Result<ConnectorAccount, Refusal> {
    let input = NewConnectorAccount {
        merchant_connector_id: None,
        connector_type: ConnectorType::PaymentProcessor,
        connector_name: EXAMPLE.name.to_owned(),
        business_country: None,
        business_label: None,
        business_sub_label: None,
        settings,
    };
    ConnectorAccount::create(
        input,
        &EXAMPLE,
        &profile(),
        true,
        Timestamp::EPOCH,
        &SeededRandom::new(2),
    )
}

fn with_key() -> ConnectorAccountUpdate {
    ConnectorAccountUpdate {
        credentials: key(),
        ..ConnectorAccountUpdate::default()
    }
}

#[test]
fn a_new_account_is_labelled_active_and_takes_payments() {
    let account = create(with_key()).expect("an account");
    assert_eq!(account.connector_label, "stripe_test_default");
    assert!(account.is_routable());
    assert!(account.accepts(&QUERY));
    assert_eq!(account.enabled_at, Some(Timestamp::EPOCH));
    insta::assert_json_snapshot!(account);
}

#[test]
fn without_credentials_it_waits_for_them() {
    let account = create(ConnectorAccountUpdate::default()).expect("an account");
    assert_eq!(account.status, ConnectorStatus::Inactive);
    assert!(account.disabled);
    assert_eq!(account.check(&QUERY), Err(Ineligible::Disabled));
    let active = ConnectorAccountUpdate {
        status: Some(ConnectorStatus::Active),
        ..ConnectorAccountUpdate::default()
    };
    assert!(
        account
            .update(active.clone(), &EXAMPLE, Timestamp::EPOCH)
            .is_err()
    );
    let with_key = ConnectorAccountUpdate {
        credentials: key(),
        ..active
    };
    let account = account
        .update(with_key, &EXAMPLE, Timestamp::EPOCH)
        .expect("an account");
    assert!(account.is_routable());
}

#[test]
fn switching_off_and_on_joins_the_order_at_its_end() {
    let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds).expect("in range");
    let account = create(with_key()).expect("an account");
    let switch = |disabled| ConnectorAccountUpdate {
        status: Some(ConnectorStatus::Active),
        disabled: Some(disabled),
        ..ConnectorAccountUpdate::default()
    };
    let still_on = account
        .update(switch(false), &EXAMPLE, at(1))
        .expect("an account");
    assert_eq!(still_on.enabled_at, Some(Timestamp::EPOCH));
    let off = still_on
        .update(switch(true), &EXAMPLE, at(2))
        .expect("an account");
    assert_eq!(off.enabled_at, None);
    assert!(!off.is_routable());
    let on = off
        .update(switch(false), &EXAMPLE, at(3))
        .expect("an account");
    assert_eq!(on.enabled_at, Some(at(3)));
}

#[test]
fn an_update_about_something_else_leaves_the_switch() {
    let account = create(ConnectorAccountUpdate {
        disabled: Some(true),
        ..with_key()
    })
    .expect("an account");
    let rename = ConnectorAccountUpdate {
        connector_label: Some("euro cards".to_owned()),
        applepay_verified_domains: Some(vec!["shop.example".to_owned()]),
        ..ConnectorAccountUpdate::default()
    };
    let renamed = account
        .update(rename, &EXAMPLE, Timestamp::EPOCH)
        .expect("an account");
    assert_eq!(
        (renamed.status, renamed.disabled),
        (ConnectorStatus::Active, true)
    );
    assert_eq!(renamed.connector_label, "euro cards");
    assert_eq!(
        renamed.applepay_verified_domains,
        Some(vec!["shop.example".to_owned()])
    );
}

#[test]
fn a_connector_offers_what_it_offers() {
    let account = create(with_key()).expect("an account");
    let other = ConnectorAccountUpdate {
        connector_type: Some(ConnectorType::TaxProcessor),
        ..ConnectorAccountUpdate::default()
    };
    assert!(matches!(
        account.update(other, &EXAMPLE, Timestamp::EPOCH),
        Err(Refusal::InvalidValue { .. })
    ));
}

#[test]
fn what_its_connector_reads_is_checked_where_it_changes() {
    let updated = |account: &ConnectorAccount, input: ConnectorAccountUpdate| match account.update(
        input,
        &WITH_SETTINGS,
        Timestamp::EPOCH,
    ) {
        Ok(_) => "fits".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    let metadata = |value: Value| ConnectorAccountUpdate {
        notes: [("metadata".to_owned(), value)].into_iter().collect(),
        ..ConnectorAccountUpdate::default()
    };
    let in_test = |test_mode| ConnectorAccountUpdate {
        test_mode: Some(test_mode),
        ..ConnectorAccountUpdate::default()
    };
    let off = ConnectorAccountUpdate {
        disabled: Some(true),
        ..ConnectorAccountUpdate::default()
    };
    // The account was made before its connector read any settings.
    let mut account = create(with_key()).expect("an account");
    account.version = 1;
    // Without credentials it accepts no payments, and can be completed later.
    let bare = create(ConnectorAccountUpdate::default()).expect("an account");
    let table = [
        ("real money", updated(&account, in_test(false))),
        ("test mode", updated(&account, in_test(true))),
        (
            "a prefix",
            updated(&account, metadata(json!({"prefix": "shop1"}))),
        ),
        (
            "an odd one",
            updated(&account, metadata(json!({"prefix": 7}))),
        ),
        ("switched off", updated(&account, off)),
        ("in the making", updated(&bare, in_test(false))),
        ("made", updated(&bare, with_key())),
    ];
    let lines: Vec<_> = table
        .map(|(name, told)| format!("{name:<13} {told}"))
        .into();
    insta::assert_snapshot!(lines.join("\n"), @"
    real money    metadata.prefix is required and was not given
    test mode     fits
    a prefix      fits
    an odd one    metadata.prefix is not in the expected form: a text of letters and digits
    switched off  fits
    in the making fits
    made          metadata.prefix is required and was not given
    ");
}

#[test]
fn only_payment_processors_take_payments() {
    let account = create(with_key()).expect("an account");
    for connector_type in ConnectorType::ALL {
        let account = ConnectorAccount {
            connector_type: *connector_type,
            ..account.clone()
        };
        let expected = *connector_type == ConnectorType::PaymentProcessor;
        assert_eq!(account.is_routable(), expected, "{connector_type}");
        assert_eq!(account.accepts(&QUERY), expected, "{connector_type}");
    }
}

#[test]
fn what_is_enabled_decides() {
    let mut account = create(with_key()).expect("an account");
    account.payment_methods_enabled = Some(vec![PaymentMethodEnabled {
        maximum_amount: Some(100),
        ..PaymentMethodEnabled::unrestricted(PaymentMethod::Card)
    }]);
    assert_eq!(account.check(&QUERY), Err(Ineligible::Amount));
    assert_eq!(
        account.check(&PaymentQuery {
            amount: 100,
            ..QUERY
        }),
        Ok(())
    );
}

#[test]
fn odd_settings_are_refused() {
    let odd = [
        ConnectorAccountUpdate {
            connector_label: Some(" ".to_owned()),
            ..with_key()
        },
        ConnectorAccountUpdate {
            frm_configs: Some(json!("no json")),
            ..with_key()
        },
        ConnectorAccountUpdate {
            pm_auth_config: Some(Map::new()),
            ..with_key()
        },
        ConnectorAccountUpdate {
            status: Some(ConnectorStatus::Inactive),
            disabled: Some(false),
            ..with_key()
        },
    ];
    for settings in odd {
        let shown = format!("{settings:?}");
        assert!(!shown.contains("sim_0123"), "credentials don't print");
        assert!(create(settings).is_err(), "{shown}");
    }
}

#[test]
fn secrets_rest_apart_from_the_record() {
    let wallets = json!({"connector_wallets_details": {"apple_pay": {"key": "wallet-secret"}}});
    let account = create(ConnectorAccountUpdate {
        webhook: Some(WebhookSecrets {
            merchant_secret: SecretText::new("hook-secret"),
            additional_secret: None,
            unread: UnreadMembers::default(),
        }),
        secret_notes: SecretNotes(wallets.as_object().cloned().expect("an object")),
        ..with_key()
    })
    .expect("an account");
    let record = serde_json::to_string(&account).expect("plain JSON");
    for secret in ["sim_0123", "hook-secret", "wallet-secret"] {
        assert!(!record.contains(secret), "{secret}");
        assert!(!format!("{account:?}").contains(secret), "{secret}");
    }
    let mut restored: ConnectorAccount = serde_json::from_str(&record).expect("an account");
    let sealable = account.secrets.to_sealable();
    restored.secrets = ConnectorSecrets::from_sealable(&sealable).expect("secrets");
    assert_eq!(restored, account);
}
