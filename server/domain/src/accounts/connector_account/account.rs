//! The record of a connector account, and how it is created and updated.

use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::notes;
use multirail_kernel::random::Random;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{Access, ConnectorType, Description};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::accounts::connector_account::{
    ConnectorSecrets, ConnectorStatus, Credentials, CredentialsInput, Fee, Ineligible,
    PaymentMethodEnabled, PaymentMethodEnabledInput, PaymentQuery, SecretNotes, StatusAndSwitch,
    WebhookSecrets, check_enabled, check_fee_table, decide_status, flatten, frm_configs_text,
    is_no_frm_config, pm_auth_entries,
};
use crate::accounts::profile::Profile;

/// A merchant's account at a processor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectorAccount {
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
    pub profile_id: ProfileId,
    pub connector_type: ConnectorType,
    /// Never changes.
    pub connector_name: String,
    /// Unique within the profile.
    pub connector_label: String,
    pub status: ConnectorStatus,
    pub disabled: bool,
    pub test_mode: Option<bool>,
    /// `None` leaves the choice to the connector; an empty list accepts no payment.
    pub payment_methods_enabled: Option<Vec<PaymentMethodEnabled>>,
    /// The processor's fees as the merchant reports them. The first entry that fits a payment counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_table: Option<Vec<Fee>>,
    /// JSON as text.
    pub frm_configs: Option<String>,
    pub pm_auth_config: Option<Map<String, Value>>,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<String>,
    pub business_sub_label: Option<String>,
    pub applepay_verified_domains: Option<Vec<String>>,
    /// When the account began to take part in routing; `None` while it doesn't. The profile's fallback order sorts by this
    /// moment: an account that is switched on again joins at the end.
    pub enabled_at: Option<Timestamp>,
    /// Values that the server only stores and returns (`metadata`), by wire name.
    pub notes: Map<String, Value>,
    /// Sealed separately. Empty in a record that was read, until the secrets are unsealed.
    #[serde(skip)]
    pub secrets: ConnectorSecrets,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input for a new account.
#[derive(Clone, Debug, PartialEq)]
pub struct NewConnectorAccount {
    /// The caller's choice; generated if `None`.
    pub merchant_connector_id: Option<ConnectorAccountId>,
    pub connector_type: ConnectorType,
    pub connector_name: String,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<String>,
    pub business_sub_label: Option<String>,
    pub settings: ConnectorAccountUpdate,
}

/// A caller's changes to an account; `None` leaves a member unchanged. Name and profile can't change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnectorAccountUpdate {
    /// Ignored for a new account: [`NewConnectorAccount`] has its own.
    pub connector_type: Option<ConnectorType>,
    pub connector_label: Option<String>,
    pub credentials: Option<CredentialsInput>,
    pub payment_methods_enabled: Option<Vec<PaymentMethodEnabledInput>>,
    /// Replaces the whole table; an empty list removes it.
    pub fee_table: Option<Vec<Fee>>,
    pub webhook: Option<WebhookSecrets>,
    pub test_mode: Option<bool>,
    pub disabled: Option<bool>,
    pub status: Option<ConnectorStatus>,
    /// A list, or a text that holds one.
    pub frm_configs: Option<Value>,
    pub pm_auth_config: Option<Map<String, Value>>,
    pub applepay_verified_domains: Option<Vec<String>>,
    /// `metadata`.
    pub notes: Map<String, Value>,
    /// `connector_wallets_details` and `additional_merchant_data`.
    pub secret_notes: SecretNotes,
}

impl ConnectorAccount {
    /// Returns when the account could first be chosen for payments.
    pub fn enabled_since(&self) -> Timestamp {
        self.enabled_at.unwrap_or(self.created_at)
    }

    /// Creates an account in `profile`. It is inactive until it has credentials. The store checks that its id and label are
    /// free. `connector` describes the connector that the caller names; `sandbox` allows simulators.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a connector that isn't available here, a type that it doesn't offer, or an impossible
    /// status. [`Refusal::InvalidFormat`] for credentials and settings that don't fit. Other members have their own refusals.
    pub fn create(
        input: NewConnectorAccount,
        connector: &Description,
        profile: &Profile,
        sandbox: bool,
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<Self, Refusal> {
        connector.check_available(sandbox)?;
        connector.check_offers(input.connector_type)?;
        let label = format!("{}_{}", input.connector_name, profile.profile_name);
        let chosen = input.merchant_connector_id;
        let blank = ConnectorAccount {
            merchant_id: profile.merchant_id.clone(),
            merchant_connector_id: chosen.unwrap_or_else(|| ConnectorAccountId::generate(random)),
            profile_id: profile.profile_id.clone(),
            connector_type: input.connector_type,
            connector_name: input.connector_name,
            connector_label: label,
            status: StatusAndSwitch::OF_A_NEW_ACCOUNT.status,
            disabled: StatusAndSwitch::OF_A_NEW_ACCOUNT.disabled,
            test_mode: Some(false),
            payment_methods_enabled: None,
            fee_table: None,
            frm_configs: None,
            pm_auth_config: None,
            business_country: input.business_country,
            business_label: input.business_label,
            business_sub_label: input.business_sub_label,
            applepay_verified_domains: None,
            enabled_at: None,
            notes: Map::new(),
            secrets: ConnectorSecrets::default(),
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        blank.update(
            ConnectorAccountUpdate {
                connector_type: None,
                ..input.settings
            },
            connector,
            now,
        )
    }

    /// Returns the account with the update applied. Its secrets have to be unsealed, because the status depends on whether
    /// there are credentials.
    ///
    /// # Errors
    /// As for [`ConnectorAccount::create`].
    pub fn update(
        &self,
        input: ConnectorAccountUpdate,
        connector: &Description,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let mut account = self.clone();
        // An account stored before its connector had some setting can still be renamed and switched off.
        let concerns_settings = self.version == 0
            || input.credentials.is_some()
            || input.test_mode.is_some()
            || notes::find(&input.notes, "metadata").is_some();
        if let Some(credentials) = input.credentials {
            let meant = self.secrets.credentials.meant_by(credentials)?;
            account.secrets.credentials = Credentials::check(meant, Some(connector))?;
        }
        let decided = decide_status(
            input.status,
            input.disabled,
            account.secrets.credentials.are_real(),
            StatusAndSwitch {
                status: self.status,
                disabled: self.disabled,
            },
        )?;
        account.status = decided.status;
        account.disabled = decided.disabled;
        account.enabled_at = match (decided.disabled, self.enabled_at) {
            (true, _) => None,
            (false, since) => since.or(Some(now)),
        };
        if let Some(label) = input.connector_label {
            account.connector_label = read_label(&label)?;
        }
        if let Some(items) = input.payment_methods_enabled {
            account.payment_methods_enabled = Some(flatten(items)?);
        }
        if let Some(table) = input.fee_table {
            check_fee_table(&table)?;
            account.fee_table = Some(table).filter(|table| !table.is_empty());
        }
        if let Some(given) = input.frm_configs {
            let text = frm_configs_text(&given)?;
            // Fraud screening isn't built. A merchant may send back the value that is stored already.
            if !is_no_frm_config(&text) && account.frm_configs.as_ref() != Some(&text) {
                return Err(Refusal::FlowNotSupported {
                    flow: "frm_configs".to_owned(),
                });
            }
            account.frm_configs = Some(text);
        }
        if let Some(config) = input.pm_auth_config {
            pm_auth_entries(&config)?;
            account.pm_auth_config = Some(config);
        }
        if let Some(connector_type) = input.connector_type {
            connector.check_offers(connector_type)?;
            account.connector_type = connector_type;
        }
        if let Some(webhook) = input.webhook {
            account.secrets.webhook = Some(webhook.over(self.secrets.webhook.as_ref())?);
        }
        account.secrets.notes.0 = notes::updated(&account.secrets.notes.0, input.secret_notes.0);
        account.applepay_verified_domains = input
            .applepay_verified_domains
            .or(account.applepay_verified_domains);
        account.test_mode = input.test_mode.or(account.test_mode);
        account.notes = notes::updated(&self.notes, input.notes);
        if concerns_settings {
            let is_in_the_making = !account.secrets.credentials.are_real();
            connector.check_settings(&account.access(), is_in_the_making)?;
        }
        account.modified_at = now;
        Ok(account)
    }

    /// Returns whether this member of the account's `metadata` is true.
    pub fn allows(&self, setting: &str) -> bool {
        let metadata = notes::find(&self.notes, "metadata");
        metadata.and_then(|metadata| metadata.get(setting)) == Some(&Value::Bool(true))
    }

    /// Returns the part of the account that its connector needs.
    pub fn access(&self) -> Access {
        Access {
            credentials: self.secrets.credentials.to_json(),
            test_mode: self.test_mode == Some(true),
            metadata: match notes::find(&self.notes, "metadata") {
                Some(Value::Object(metadata)) => metadata.clone(),
                Some(_) | None => Map::new(),
            },
        }
    }

    /// Returns the address for the processor's notices, at the server with this address. Only processors of payments send
    /// notices.
    pub fn notice_address(&self, server: &str) -> Option<String> {
        let sends_notices = self.connector_type == ConnectorType::PaymentProcessor;
        let (merchant_id, account_id) = (&self.merchant_id, &self.merchant_connector_id);
        sends_notices.then(|| format!("{server}/webhooks/{merchant_id}/{account_id}"))
    }

    /// Returns whether the account takes part in routing.
    pub fn is_routable(&self) -> bool {
        self.connector_type == ConnectorType::PaymentProcessor && self.is_enabled()
    }

    /// Returns whether the account is active and not switched off.
    pub fn is_enabled(&self) -> bool {
        self.status == ConnectorStatus::Active && !self.disabled
    }

    /// Checks that the merchant lets this account accept the payment.
    pub fn check(&self, query: &PaymentQuery) -> Result<(), Ineligible> {
        if self.connector_type != ConnectorType::PaymentProcessor {
            return Err(Ineligible::ConnectorType);
        }
        if !self.is_enabled() {
            return Err(Ineligible::Disabled);
        }
        check_enabled(self.payment_methods_enabled.as_deref(), query)
    }

    /// Returns whether the merchant lets this account accept the payment.
    pub fn accepts(&self, query: &PaymentQuery) -> bool {
        self.check(query).is_ok()
    }

    /// Builds the refusal for a label that another account of the profile has.
    pub fn label_taken(&self) -> Refusal {
        Refusal::Duplicate {
            message: format!(
                "profile {} has a connector account labelled {} already",
                self.profile_id, self.connector_label
            ),
        }
    }
}

fn read_label(label: &str) -> Result<String, Refusal> {
    let label = label.trim();
    if label.is_empty() || label.chars().count() > 255 {
        return Err(Refusal::invalid_format(
            "connector_label",
            "1 to 255 characters",
        ));
    }
    Ok(label.to_owned())
}

#[cfg(test)]
mod tests;
