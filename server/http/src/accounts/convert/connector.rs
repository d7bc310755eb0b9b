//! Descriptions of connectors, and checks of credentials that aren't stored.

use multirail_domain::accounts::connector_account::UnstoredCredentials;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{
    AccountCheck, AccountSetting, Capabilities, Description, Feature, Needed,
};
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_types as types;

use super::connector_account::{credentials, verdict};
use crate::platform::convert::words::ToWire;

/// Returns the description of a connector.
pub(crate) fn answer(connector: &Description) -> types::Connector {
    let able = &connector.capabilities;
    let members = connector.named_credentials();
    let secrets = connector.named_webhook_secrets();
    types::Connector {
        connector_name: connector.name.into(),
        connector_types: to_wire(connector.offers),
        is_simulator: connector.is_simulator,
        api_version: connector.api_version.map(str::to_owned),
        credentials: types::ConnectorCredentials {
            auth_type: connector.credentials.to_wire(),
            members: members
                .map(|(member, label)| secret(member, label, true))
                .collect(),
        },
        settings: connector.settings.iter().map(setting).collect(),
        webhook_members: secrets
            .map(|(member, label)| secret(member, label, connector.needs_webhook_secret(member)))
            .collect(),
        payment_methods: payment_methods(able),
        capture_methods: to_wire(able.capture_methods),
        features: features(connector),
    }
}

fn to_wire<W, D: ToWire<W>>(words: &[D]) -> Vec<W> {
    words.iter().map(|word| word.to_wire()).collect()
}

fn secret(member: &str, label: &str, required: bool) -> types::ConnectorSecret {
    types::ConnectorSecret {
        name: member.to_owned(),
        label: label.to_owned(),
        required,
    }
}

fn setting(setting: &AccountSetting) -> types::ConnectorSetting {
    types::ConnectorSetting {
        name: setting.name.to_owned(),
        kind: match setting.is_switch() {
            true => types::ConnectorSettingKind::Boolean,
            false => types::ConnectorSettingKind::Text,
        },
        needed: match setting.needed {
            Needed::Never => types::ConnectorSettingNeed::Never,
            Needed::Always => types::ConnectorSettingNeed::Always,
            Needed::OutsideTestMode => types::ConnectorSettingNeed::OutsideTestMode,
        },
        form: setting.form.to_owned(),
    }
}

fn payment_methods(able: &Capabilities) -> Vec<types::ConnectorPaymentMethod> {
    let methods = able.payment_methods.iter();
    let described = methods.map(|method| {
        let kinds = able.types(*method);
        types::ConnectorPaymentMethod {
            payment_method: method.to_wire(),
            payment_method_types: kinds.map(|kind| method_type(able, kind)).collect(),
        }
    });
    described.collect()
}

fn method_type(able: &Capabilities, kind: PaymentMethodType) -> types::ConnectorPaymentMethodType {
    let rules = able.payer_method(kind);
    let currencies = rules.map(|rules| rules.currencies);
    let countries = rules.map(|rules| rules.countries);
    let captures = able.capture_methods.iter();
    let captures = captures.filter(|one| rules.is_none_or(|rules| rules.captures(**one)));
    types::ConnectorPaymentMethodType {
        payment_method_type: kind.to_wire(),
        currencies: currencies.filter(|list| !list.is_empty()).map(to_wire),
        countries: countries.filter(|list| !list.is_empty()).map(to_wire),
        capture_methods: captures.map(|one| one.to_wire()).collect(),
        recurring_enabled: rules.is_none_or(|rules| rules.recurs),
    }
}

fn features(connector: &Description) -> Vec<types::ConnectorFeature> {
    let all = Feature::ALL.iter().copied();
    let own = all.filter(|feature| connector.has(*feature));
    own.map(|feature| feature.to_wire()).collect()
}

/// Converts a request to check credentials.
///
/// # Errors
///
/// An unknown kind of credentials.
pub(crate) fn check_request(
    wire: types::ConnectorCredentialsCheckRequest,
) -> Result<UnstoredCredentials, Refusal> {
    let types::ConnectorCredentialsCheckRequest {
        connector_name,
        connector_account_details,
        test_mode,
        metadata,
    } = wire;
    Ok(UnstoredCredentials {
        connector_name: connector_name.as_str().to_owned(),
        credentials: credentials(connector_account_details)?,
        test_mode: test_mode.unwrap_or(false),
        metadata: metadata.unwrap_or_default(),
    })
}

/// Returns the processor's answer to credentials that are in no account.
pub(crate) fn check(
    connector_name: String,
    check: AccountCheck,
) -> types::ConnectorCredentialsCheck {
    let (result, message) = verdict(check);
    types::ConnectorCredentialsCheck {
        connector_name,
        result,
        message,
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::country::CountryCode;
    use multirail_kernel::currency::Currency;
    use multirail_sdk::charge::CaptureMethod;
    use multirail_sdk::connector::{ConnectorType, CredentialsKind};
    use multirail_sdk::payer_method::PayerMethodRules;
    use multirail_sdk::payment_method::PaymentMethod;
    use serde_json::json;

    use super::*;

    const DUTCH: &[CountryCode] = &[CountryCode::known("NL")];

    static RULES: [PayerMethodRules; 2] = [
        PayerMethodRules::new(PaymentMethodType::Ideal, &[Currency::EUR]).in_countries(DUTCH),
        PayerMethodRules::new(PaymentMethodType::Sepa, &[]).recurring(),
    ];

    static CONNECTOR: Description = Description {
        name: "adyen",
        is_simulator: false,
        offers: &[ConnectorType::PaymentProcessor],
        credentials: CredentialsKind::BodyKey,
        credential_names: &["API key", "Merchant account"],
        webhook_secrets: &["HMAC key"],
        settings: &[
            AccountSetting::BASE_URL,
            AccountSetting {
                name: "several",
                needed: Needed::OutsideTestMode,
                form: "true or false",
                fits: serde_json::Value::is_boolean,
            },
        ],
        shown: &[],
        api_version: None,
        notice_answer: "",
        category_of: |_| None,
        capabilities: Capabilities {
            payment_methods: &[
                PaymentMethod::Card,
                PaymentMethod::BankRedirect,
                PaymentMethod::BankDebit,
            ],
            payer_methods: &RULES,
            capture_methods: CaptureMethod::ALL,
            ..Capabilities::NONE
        },
    };

    #[test]
    fn a_description_says_what_an_account_needs_and_takes() {
        let all = [
            "automatic",
            "manual",
            "manual_multiple",
            "scheduled",
            "sequential_automatic",
        ];
        let at_once = ["automatic", "sequential_automatic"];
        let card = |kind: &str| json!({ "payment_method_type": kind, "capture_methods": all, "recurring_enabled": true });
        let ideal = json!({
            "payment_method_type": "ideal", "currencies": ["EUR"], "countries": ["NL"],
            "capture_methods": at_once, "recurring_enabled": false,
        });
        let sepa = json!({
            "payment_method_type": "sepa", "capture_methods": at_once, "recurring_enabled": true,
        });
        let written = serde_json::to_value(answer(&CONNECTOR)).expect("plain JSON");
        let wanted = json!({
            "connector_name": "adyen",
            "connector_types": ["payment_processor"],
            "is_simulator": false,
            "credentials": {
                "auth_type": "BodyKey",
                "members": [
                    { "name": "api_key", "label": "API key", "required": true },
                    { "name": "key1", "label": "Merchant account", "required": true },
                ],
            },
            "settings": [
                {
                    "name": "base_url", "kind": "text", "needed": "never",
                    "form": AccountSetting::BASE_URL.form,
                },
                {
                    "name": "several", "kind": "boolean", "needed": "outside_test_mode",
                    "form": "true or false",
                },
            ],
            "webhook_members": [{ "name": "merchant_secret", "label": "HMAC key", "required": true }],
            "payment_methods": [
                { "payment_method": "card", "payment_method_types": [card("credit"), card("debit")] },
                { "payment_method": "bank_redirect", "payment_method_types": [ideal] },
                { "payment_method": "bank_debit", "payment_method_types": [sepa] },
            ],
            "capture_methods": all,
            "features": ["refunds"],
        });
        assert_eq!(written, wanted);
    }
}
