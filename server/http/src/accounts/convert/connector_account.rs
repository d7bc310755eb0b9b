//! Connector accounts, wire to domain and back. (Specification 2.7) Requests are destructured, so that the compiler
//! finds new members of the document. Answers contain credentials only masked.

mod enabled_methods;

use std::collections::BTreeMap;

use multirail_app::accounts::connector_accounts::CreateConnectorAccount;
use multirail_domain::accounts::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, Credentials, CredentialsInput, Fee,
    NewConnectorAccount, SecretNotes, WALLETS_DETAILS, WebhookSecrets,
};
use multirail_kernel::ids::ProfileId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{AccountCheck, CredentialsKind};
use multirail_types as types;
use serde_json::{Map, Value};

use super::webhook_details::secret;
use crate::platform::convert::words::{ToWire, word};
use crate::platform::convert::{note, noted};

/// Converts a request to create a connector account.
///
/// # Errors
///
/// An invalid profile id, payment methods that can't be read.
pub(crate) fn create(
    wire: types::ConnectorAccountCreateRequest,
) -> Result<CreateConnectorAccount, Refusal> {
    let types::ConnectorAccountCreateRequest {
        connector_type,
        connector_name,
        connector_label,
        merchant_connector_id,
        profile_id,
        status,
        connector_account_details,
        check_credentials,
        payment_methods_enabled,
        fee_table,
        connector_webhook_details,
        metadata,
        test_mode,
        disabled,
        frm_configs,
        applepay_verified_domains,
        pm_auth_config,
        business_country,
        business_label,
        business_sub_label,
        additional_merchant_data,
        connector_wallets_details,
    } = wire;
    let settings = update(types::ConnectorAccountUpdateRequest {
        connector_type: connector_type.clone(),
        connector_label,
        status,
        connector_account_details,
        payment_methods_enabled,
        fee_table,
        connector_webhook_details,
        metadata,
        test_mode,
        disabled,
        frm_configs,
        applepay_verified_domains,
        pm_auth_config,
        additional_merchant_data,
        connector_wallets_details,
    })?;
    let profile_id = profile_id.as_deref().map(ProfileId::parse).transpose();
    let business_country = business_country.map(|code| word(&code, "business_country"));
    Ok(CreateConnectorAccount {
        merchant_connector_id,
        profile_id: profile_id.map_err(|invalid| invalid.refusal("profile_id"))?,
        checks_credentials: check_credentials.unwrap_or(false),
        account: NewConnectorAccount {
            merchant_connector_id: None,
            connector_type: word(&connector_type, "connector_type")?,
            connector_name: connector_name.as_str().to_owned(),
            business_country: business_country.transpose()?,
            business_label,
            business_sub_label,
            settings,
        },
    })
}

/// Converts a request to update a connector account.
///
/// # Errors
///
/// Payment methods that can't be read.
pub(crate) fn update(
    wire: types::ConnectorAccountUpdateRequest,
) -> Result<ConnectorAccountUpdate, Refusal> {
    let types::ConnectorAccountUpdateRequest {
        connector_type,
        connector_label,
        status,
        connector_account_details,
        payment_methods_enabled,
        fee_table,
        connector_webhook_details,
        metadata,
        test_mode,
        disabled,
        frm_configs,
        applepay_verified_domains,
        pm_auth_config,
        // The frame has refused this member.
        additional_merchant_data: _,
        connector_wallets_details,
    } = wire;
    let credentials = connector_account_details.map(credentials).transpose()?;
    let enabled = payment_methods_enabled.map(enabled_methods::input);
    let status = status.map(|status| word(&status, "status")).transpose()?;
    let metadata = metadata.map(|metadata| ("metadata".to_owned(), Value::Object(metadata)));
    Ok(ConnectorAccountUpdate {
        connector_type: Some(word(&connector_type, "connector_type")?),
        connector_label,
        credentials,
        payment_methods_enabled: enabled.transpose()?,
        fee_table: fee_table.map(fees).transpose()?,
        webhook: connector_webhook_details.map(webhook_secrets),
        test_mode,
        disabled,
        status,
        frm_configs: frm_configs.filter(|configs| !configs.is_null()),
        pm_auth_config: pm_auth_config.map(
            |types::PaymentMethodAuthConfig {
                 enabled_payment_methods,
             }| {
                let enabled_payment_methods = Some(enabled_payment_methods);
                noted!(enabled_payment_methods)
            },
        ),
        applepay_verified_domains,
        notes: metadata.into_iter().collect(),
        secret_notes: wallets_details(connector_wallets_details),
    })
}

fn fees(given: Vec<types::FeeRequest>) -> Result<Vec<Fee>, Refusal> {
    let read = |(place, fee): (usize, types::FeeRequest)| {
        let types::FeeRequest {
            percentage_basis_points,
            fixed_amount,
            currency,
            payment_method,
            card_network,
            country,
        } = fee;
        let at = |member: &str| format!("fee_table[{place}].{member}");
        Ok(Fee {
            percentage_basis_points: i64::from(percentage_basis_points),
            fixed_amount: fixed_amount.unwrap_or(0),
            currency: currency.map(|it| word(&it, &at("currency"))).transpose()?,
            payment_method: payment_method
                .map(|it| word(&it, &at("payment_method")))
                .transpose()?,
            card_network: card_network
                .map(|it| word(&it, &at("card_network")))
                .transpose()?,
            country: country.map(|it| word(&it, &at("country"))).transpose()?,
        })
    };
    given.into_iter().enumerate().map(read).collect()
}

fn fees_answer(table: &[Fee]) -> Vec<types::Fee> {
    let fee = |fee: &Fee| types::Fee {
        percentage_basis_points: i32::try_from(fee.percentage_basis_points).unwrap_or(i32::MAX),
        fixed_amount: fee.fixed_amount,
        currency: fee.currency.map(|it| it.to_wire()),
        payment_method: fee.payment_method.map(|it| it.to_wire()),
        card_network: fee.card_network.map(|it| it.to_wire()),
        country: fee.country.map(|it| it.to_wire()),
    };
    table.iter().map(fee).collect()
}

fn wallets_details(given: Option<Map<String, Value>>) -> SecretNotes {
    let details = given.map(|details| (WALLETS_DETAILS.to_owned(), Value::Object(details)));
    SecretNotes(details.into_iter().collect())
}

/// Converts credentials of any kind.
///
/// # Errors
///
/// An unknown kind.
pub(super) fn credentials(
    wire: types::ConnectorAccountDetailsRequest,
) -> Result<CredentialsInput, Refusal> {
    let types::ConnectorAccountDetailsRequest {
        auth_type,
        api_key,
        key1,
        api_secret,
        key2,
        auth_key_map,
        certificate,
        private_key,
    } = wire;
    let texts = [
        ("api_key", api_key),
        ("key1", key1),
        ("api_secret", api_secret),
        ("key2", key2),
        ("certificate", certificate),
        ("private_key", private_key),
    ];
    let mut members: BTreeMap<String, SecretText> = texts
        .into_iter()
        .filter_map(|(name, text)| Some((name.to_owned(), secret(&text?))))
        .collect();
    if let Some(map) = auth_key_map {
        let text = SecretText::new(Value::Object(map).to_string());
        members.insert("auth_key_map".to_owned(), text);
    }
    Ok(CredentialsInput {
        kind: word(&auth_type, "connector_account_details.auth_type")?,
        members,
    })
}

/// Reads credentials for one payment, in the form of an account's. They have to be complete, whatever the connector.
///
/// # Errors
/// An unknown or temporary kind, members that don't belong to it or are missing.
pub fn brought_credentials(
    wire: types::ConnectorAccountDetailsRequest,
) -> Result<Credentials, Refusal> {
    let input = credentials(wire)?;
    if input.kind == CredentialsKind::TemporaryAuth {
        return Err(Refusal::invalid_format(
            "connector_account_details.auth_type",
            "the kind of real credentials",
        ));
    }
    Credentials::check(input, None)
}

fn webhook_secrets(wire: types::ConnectorWebhookDetailsRequest) -> WebhookSecrets {
    let types::ConnectorWebhookDetailsRequest {
        merchant_secret,
        additional_secret,
    } = wire;
    WebhookSecrets {
        merchant_secret: secret(&merchant_secret),
        additional_secret: additional_secret.as_ref().map(secret),
        unread: UnreadMembers::default(),
    }
}

/// Returns the account as the list shows it.
pub(crate) fn list_item(account: &ConnectorAccount) -> types::ConnectorAccountListItem {
    let enabled = account.payment_methods_enabled.as_deref();
    types::ConnectorAccountListItem {
        connector_type: account.connector_type.to_wire(),
        connector_name: account.connector_name.as_str().into(),
        connector_label: Some(account.connector_label.clone()),
        merchant_connector_id: account.merchant_connector_id.to_string(),
        profile_id: account.profile_id.to_string(),
        payment_methods_enabled: enabled.map(enabled_methods::answer),
        fee_table: account.fee_table.as_deref().map(fees_answer),
        test_mode: account.test_mode,
        disabled: Some(account.disabled),
        frm_configs: account.frm_configs.clone(),
        business_country: account.business_country.map(|country| country.to_wire()),
        business_label: account.business_label.clone(),
        business_sub_label: account.business_sub_label.clone(),
        applepay_verified_domains: account.applepay_verified_domains.clone(),
        pm_auth_config: account.pm_auth_config.as_ref().and_then(pm_auth_config),
        status: account.status.to_wire(),
    }
}

/// Returns the account with masked credentials. `public_url` is the server's configured address.
pub(crate) fn answer(
    account: &ConnectorAccount,
    public_url: Option<&str>,
) -> types::ConnectorAccount {
    let types::ConnectorAccountListItem {
        connector_type,
        connector_name,
        connector_label,
        merchant_connector_id,
        profile_id,
        payment_methods_enabled,
        fee_table,
        test_mode,
        disabled,
        frm_configs,
        business_country,
        business_label,
        business_sub_label,
        applepay_verified_domains,
        pm_auth_config,
        status,
    } = list_item(account);
    types::ConnectorAccount {
        connector_type,
        connector_name,
        connector_label,
        merchant_connector_id,
        profile_id,
        payment_methods_enabled,
        fee_table,
        test_mode,
        disabled,
        frm_configs,
        business_country,
        business_label,
        business_sub_label,
        applepay_verified_domains,
        pm_auth_config,
        status,
        connector_account_details: masked(&account.secrets.credentials),
        connector_webhook_url: public_url.and_then(|url| account.notice_address(url)),
        metadata: note(&account.notes, "metadata"),
    }
}

/// Returns the processor's answer to the account's credentials.
pub(crate) fn check(
    account: &ConnectorAccount,
    check: AccountCheck,
) -> types::ConnectorAccountCheck {
    let (result, message) = verdict(check);
    types::ConnectorAccountCheck {
        merchant_connector_id: account.merchant_connector_id.to_string(),
        connector_name: account.connector_name.clone(),
        result,
        message,
    }
}

/// Returns the result of a check, and the processor's words or the reason why there are none.
pub(super) fn verdict(check: AccountCheck) -> (types::ConnectorAccountCheckResult, Option<String>) {
    use types::ConnectorAccountCheckResult as CheckResult;
    match check {
        AccountCheck::Accepted => (CheckResult::Accepted, None),
        AccountCheck::Refused { message } => (CheckResult::Refused, Some(message)),
        AccountCheck::NotKnown(reason) => (CheckResult::NotKnown, Some(reason.to_string())),
    }
}

fn pm_auth_config(config: &Map<String, Value>) -> Option<types::PaymentMethodAuthConfig> {
    serde_json::from_value(Value::Object(config.clone())).ok()
}

/// Masks credentials. Temporary credentials count as none.
fn masked(credentials: &Credentials) -> Option<types::ConnectorAccountDetails> {
    if credentials.kind() == CredentialsKind::TemporaryAuth {
        return None;
    }
    Some(types::ConnectorAccountDetails {
        auth_type: credentials.kind().to_wire(),
        api_key: credentials.mask("api_key"),
        key1: credentials.mask("key1"),
        api_secret: credentials.mask("api_secret"),
        key2: credentials.mask("key2"),
        certificate: credentials.mask("certificate"),
        private_key: credentials.mask("private_key"),
    })
}

#[cfg(test)]
mod tests;
