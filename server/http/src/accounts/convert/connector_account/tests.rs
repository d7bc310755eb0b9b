use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::random::SeededRandom;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Capabilities, ConnectorType, Description};
use multirail_sdk::payment_method::PaymentMethod;

use super::*;
use serde_json::json;

static CONNECTOR: Description = Description {
    name: "fauxpay",
    is_simulator: true,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::HeaderKey,
    credential_names: &["API key"],
    webhook_secrets: &[],
    settings: &[],
    shown: &[],
    api_version: None,
    notice_answer: "",
    category_of: |_| None,
    capabilities: Capabilities {
        payment_methods: &[PaymentMethod::Card],
        capture_methods: CaptureMethod::ALL,
        redirects: true,
        verifies_cards: true,
        ..Capabilities::NONE
    },
};

fn account(given: Value) -> ConnectorAccount {
    let wire = serde_json::from_value(given).expect("a request");
    let request = create(wire).expect("a request of ours");
    let random = SeededRandom::new(1);
    let now = Timestamp::EPOCH;
    let new = NewMerchantAccount {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let organization = Organization::standard(None, now, &random);
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(new, &organization, true, environment, now, &random);
    let profile = made.expect("an account").profiles.remove(0);
    let account = request.account;
    let made = ConnectorAccount::create(account, &CONNECTOR, &profile, true, now, &random);
    made.expect("an account")
}

fn to_json(wire: impl serde::Serialize) -> Value {
    serde_json::to_value(wire).expect("plain JSON")
}

#[test]
fn what_was_sent_comes_back_and_secrets_stay() {
    let given = json!({
        "connector_type": "payment_processor",
        "connector_name": "fauxpay",
        "connector_label": "euro cards",
        "status": "active",
        "disabled": true,
        "test_mode": true,
        "connector_account_details": {"auth_type": "HeaderKey", "api_key": "test_fauxpay_key"},
        "connector_webhook_details": {"merchant_secret": "hook-secret", "additional_secret": "other-secret"},
        "metadata": {"contract": "2026-0187"},
        "frm_configs": "[]",
        "applepay_verified_domains": ["bookshop.example"],
        "pm_auth_config": {"enabled_payment_methods": [{
            "payment_method": "bank_debit",
            "payment_method_type": "ach",
            "connector_name": "plaid",
            "mca_id": "mca_1",
        }]},
        "business_country": "US",
        "business_label": "books",
        "business_sub_label": "old books",
        "payment_methods_enabled": [],
    });
    let account = account(given.clone());
    let webhook = account.secrets.webhook.clone().expect("secrets");
    assert_eq!(webhook.merchant_secret.expose(), "hook-secret");
    let answered = to_json(answer(&account, None));
    let mut expected = given;
    let members = expected.as_object_mut().expect("an object");
    members.remove("connector_webhook_details");
    members.insert(
        "connector_account_details".to_owned(),
        json!({"auth_type": "HeaderKey", "api_key": "te********ey"}),
    );
    for (member, value) in expected.as_object().expect("an object") {
        assert_eq!(&answered[member], value, "{member}");
    }
    let listed = to_json(list_item(&account)).to_string();
    for secret in ["api_key", "hook-secret", "contract"] {
        assert!(!listed.contains(secret), "{secret}");
    }
}

#[test]
fn a_bare_account_shows_every_member_of_the_specification() {
    let account = account(json!({
        "connector_type": "payment_processor",
        "connector_name": "stripe_test",
    }));
    insta::assert_json_snapshot!(to_json(answer(&account, None)), {".merchant_connector_id" => "mca_", ".profile_id" => "pro_"});
}

#[test]
fn only_processors_of_payments_have_an_address_for_notices() {
    let mut account = account(json!({
        "connector_type": "payment_processor",
        "connector_name": "stripe_test",
        "merchant_connector_id": "mca_1",
    }));
    let id = account.merchant_connector_id.clone();
    let shown =
        |account: &ConnectorAccount, url: Option<&str>| answer(account, url).connector_webhook_url;
    let url = Some("https://pay.example");
    let wanted = format!("https://pay.example/webhooks/bookshop/{id}");
    assert_eq!(shown(&account, url), Some(wanted));
    assert_eq!(shown(&account, None), None);
    account.connector_type = ConnectorType::VaultProcessor;
    assert_eq!(shown(&account, url), None);
}

#[test]
fn a_list_of_fraud_rules_becomes_a_text() {
    let account = account(json!({
        "connector_type": "payment_processor",
        "connector_name": "stripe_test",
        "frm_configs": [],
    }));
    assert_eq!(answer(&account, None).frm_configs.as_deref(), Some("[]"));
}

#[test]
fn masks_show_as_little_as_they_can() {
    let shown = |given: Value| {
        let wire = serde_json::from_value(given).expect("a request");
        let input = credentials(wire).expect("an input");
        masked(&Credentials::check(input, None).expect("credentials")).map(to_json)
    };
    let pem = "-----BEGIN CERTIFICATE-----";
    let table = [
        (json!({"auth_type": "TemporaryAuth"}), None),
        (
            json!({"auth_type": "NoKey"}),
            Some(json!({"auth_type": "NoKey"})),
        ),
        (
            json!({"auth_type": "BodyKey", "api_key": "short", "key1": "0123456789abcdef"}),
            Some(json!({"auth_type": "BodyKey", "api_key": "********", "key1": "01********ef"})),
        ),
        (
            json!({"auth_type": "CertificateAuth", "certificate": pem, "private_key": pem}),
            Some(
                json!({"auth_type": "CertificateAuth", "certificate": "********", "private_key": "********"}),
            ),
        ),
        (
            json!({"auth_type": "CurrencyAuthKey", "auth_key_map": {"USD": {"api_key": "a"}}}),
            Some(json!({"auth_type": "CurrencyAuthKey"})),
        ),
    ];
    for (given, expected) in table {
        assert_eq!(shown(given.clone()), expected, "{given}");
    }
}

#[test]
fn an_update_says_only_what_it_says() {
    let wire =
        json!({"connector_type": "payment_processor", "status": "inactive", "frm_configs": null});
    let update = update(serde_json::from_value(wire).expect("a request")).expect("an update");
    let expected = ConnectorAccountUpdate {
        connector_type: "payment_processor".parse().ok(),
        status: "inactive".parse().ok(),
        ..ConnectorAccountUpdate::default()
    };
    assert_eq!(update, expected);
}
