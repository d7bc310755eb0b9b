//! Business profiles: a merchant's shops, each with its own settings.

mod checkout_origins;
mod external_vault;
pub mod link_look;
mod routing;
mod secrets;
mod webhook_endpoints;
mod webhook_secret;

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::accounts::merchant::MerchantAccount;
use crate::accounts::webhook_settings::{CustomHeader, WebhookSettings, WebhookSettingsInput};

use link_look::LinkConfig;
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::notes;
use multirail_kernel::random::{Random, alphanumeric};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::{self, SecretText};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::web_address::{app_scheme, check_web_address, is_app_scheme};

pub use checkout_origins::Embedders;
pub use external_vault::{ExternalVault, ExternalVaultInput};
pub(crate) use routing::WHOLE;
pub use routing::{
    DynamicFeature, DynamicKind, FallbackOrder, ProfileDynamic, ProfileRouting, TransactionType,
};
pub use secrets::ProfileSecrets;
pub use webhook_endpoints::{EndpointSecret, WebhookEndpoint, WebhookEndpointInput};
pub use webhook_secret::WebhookSecret;

/// Default lifetime of a client secret: fifteen minutes.
pub const DEFAULT_SESSION_EXPIRY_SECONDS: i64 = 900;

/// Shortest and longest lifetime of a client secret, in seconds. (Specification 8)
pub const SESSION_EXPIRY_SECONDS: std::ops::RangeInclusive<i64> = 60..=7_890_000;

/// Range of the time for fulfilling an intent, in seconds.
const INTENT_FULFILLMENT_SECONDS: std::ops::RangeInclusive<i64> = 60..=1800;

/// The seconds for which the previous webhook secret may stay valid after a rotation: up to 30 days.
const PREVIOUS_SECRET_SECONDS: std::ops::RangeInclusive<i64> = 0..=2_592_000;

/// The largest `max_auto_retries_enabled`.
pub const AUTO_RETRIES_AT_MOST: u32 = 5;

/// Switches, with their values in a new profile.
const SWITCHES: [(&str, bool); 8] = [
    ("use_billing_as_payment_method_billing", true),
    ("collect_shipping_details_from_wallet_connector", false),
    ("collect_billing_details_from_wallet_connector", false),
    (
        "always_collect_shipping_details_from_wallet_connector",
        false,
    ),
    (
        "always_collect_billing_details_from_wallet_connector",
        false,
    ),
    ("is_connector_agnostic_mit_enabled", false),
    ("is_click_to_pay_enabled", false),
    ("force_3ds_challenge", false),
];

/// A business profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    /// Unique per merchant.
    pub profile_name: String,
    pub return_url: Option<String>,
    /// URL schemes of the merchant's apps that return addresses may have, besides http and https.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub return_url_schemes: Vec<String>,
    /// Web origins whose pages may embed the checkout, as browsers write them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkout_origins: Vec<String>,
    pub webhook: Option<WebhookSettings>,
    pub enable_payment_response_hash: bool,
    pub redirect_to_merchant_with_http_post: bool,
    /// Lifetime of a payment's client secret, 60 to 7,890,000 seconds.
    pub session_expiry_seconds: i64,
    /// 60 to 1800 seconds.
    pub intent_fulfillment_seconds: i64,
    /// True if merchants may retry a failed payment; `None` if the merchant didn't say.
    pub is_manual_retry_enabled: Option<bool>,
    /// True if the server retries a refused payment, where another account or 3-D Secure may help.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_auto_retries_enabled: bool,
    /// The largest number of such retries in one confirm: 0 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_auto_retries_enabled: Option<u32>,
    /// The look of hosted payment pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_link_config: Option<Box<LinkConfig>>,
    /// The merchant's own vault for cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_vault: Option<Box<ExternalVault>>,
    /// The connector account that bills subscriptions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing_processor_id: Option<ConnectorAccountId>,
    /// The configurations that route its payments; `None` if the merchant didn't set any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Box<ProfileRouting>>,
    /// Further addresses for webhooks, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhook_endpoints: Vec<WebhookEndpoint>,
    /// Values that the server only stores and returns, by wire name, and the switches.
    pub notes: Map<String, Value>,
    /// Sealed separately. Empty in a record that was read, until the secrets are unsealed.
    #[serde(skip)]
    pub secrets: ProfileSecrets,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input, at creation and later; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileInput {
    pub profile_name: Option<String>,
    pub return_url: Option<String>,
    /// Replaces the whole list.
    pub return_url_schemes: Option<Vec<String>>,
    /// Replaces the whole list.
    pub checkout_origins: Option<Vec<String>>,
    pub webhook: Option<WebhookSettingsInput>,
    pub enable_payment_response_hash: Option<bool>,
    pub payment_response_hash_key: Option<SecretText>,
    pub redirect_to_merchant_with_http_post: Option<bool>,
    pub session_expiry: Option<i64>,
    pub intent_fulfillment_time: Option<i64>,
    pub is_manual_retry_enabled: Option<bool>,
    pub is_auto_retries_enabled: Option<bool>,
    pub max_auto_retries_enabled: Option<u32>,
    /// Replaces the whole look.
    pub payment_link_config: Option<Box<LinkConfig>>,
    pub external_vault: ExternalVaultInput,
    pub billing_processor_id: Option<ConnectorAccountId>,
    /// Replaces the whole list; an empty list removes it.
    pub custom_headers: Option<Vec<(String, SecretText)>>,
    pub notes: Map<String, Value>,
}

/// The input of a new profile.
pub type NewProfile = ProfileInput;

/// The input of an update.
pub type ProfileUpdate = ProfileInput;

impl Profile {
    /// Checks that an app's address has a scheme that the profile allows. Web addresses pass.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] that names the setting.
    pub fn check_return_url(&self, address: &str) -> Result<(), Refusal> {
        match app_scheme(address) {
            Some(scheme) if !self.return_url_schemes.contains(&scheme) => {
                Err(Refusal::invalid_format(
                    "return_url",
                    "an http or https address, or one with a scheme of the profile's return_url_schemes",
                ))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the address that receives the profile's webhooks.
    pub fn webhook_url(&self) -> Option<&str> {
        self.webhook.as_ref()?.webhook_url.as_deref()
    }

    /// Creates a profile with the given name, or `default`. Return address, webhook settings and metadata come from the
    /// merchant account if the caller sends none. The store checks that the name is free.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for times out of range. Other members have their own refusals.
    pub fn create(
        input: NewProfile,
        merchant: &MerchantAccount,
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<Self, Refusal> {
        let switches = SWITCHES.iter();
        let mut notes: Map<String, Value> = switches
            .map(|(member, default)| ((*member).to_owned(), json!(default)))
            .collect();
        if let Some(metadata) = merchant.notes.get("metadata") {
            notes.insert("metadata".to_owned(), metadata.clone());
        }
        let inherits_webhook = input.webhook.is_none();
        let blank = Profile {
            merchant_id: merchant.merchant_id.clone(),
            profile_id: ProfileId::generate(random),
            profile_name: "default".to_owned(),
            return_url: merchant.return_url.clone(),
            return_url_schemes: Vec::new(),
            checkout_origins: Vec::new(),
            webhook: merchant.webhook.clone().filter(|_| inherits_webhook),
            enable_payment_response_hash: true,
            redirect_to_merchant_with_http_post: false,
            session_expiry_seconds: DEFAULT_SESSION_EXPIRY_SECONDS,
            intent_fulfillment_seconds: 900,
            is_manual_retry_enabled: None,
            is_auto_retries_enabled: false,
            max_auto_retries_enabled: None,
            payment_link_config: None,
            external_vault: None,
            billing_processor_id: None,
            routing: None,
            webhook_endpoints: Vec::new(),
            notes,
            secrets: ProfileSecrets {
                payment_response_hash_key: Some(SecretText::new(alphanumeric(random, 64))),
                webhook_password: merchant
                    .secrets
                    .webhook_password
                    .clone()
                    .filter(|_| inherits_webhook),
                webhook_secrets: vec![WebhookSecret::generate(now, random)],
                custom_headers: Vec::new(),
                endpoint_secrets: Vec::new(),
                unread: UnreadMembers::default(),
            },
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        blank.update(input, now)
    }

    /// Returns the profile with the update applied.
    ///
    /// # Errors
    /// As for [`Profile::create`].
    pub fn update(&self, input: ProfileUpdate, now: Timestamp) -> Result<Self, Refusal> {
        let mut profile = self.clone();
        if let Some(name) = input.profile_name {
            profile.profile_name = read_name(&name)?;
        }
        if let Some(schemes) = input.return_url_schemes {
            check_schemes(&schemes)?;
            profile.return_url_schemes = schemes;
        }
        if let Some(origins) = input.checkout_origins {
            profile.checkout_origins = checkout_origins::read_all(&origins)?;
        }
        if let Some(address) = input.return_url {
            if app_scheme(&address).is_some() {
                profile.check_return_url(&address)?;
            } else {
                check_web_address("return_url", &address)?;
            }
            profile.return_url = Some(address);
        }
        if let Some(mut webhook) = input.webhook {
            profile.secrets.webhook_password = secret::written_or_stored(
                webhook.webhook_password.take(),
                profile.secrets.webhook_password,
                "webhook_details.webhook_password",
            )?;
            profile.webhook = Some(WebhookSettings::default().updated(webhook)?);
        }
        if let Some(seconds) = input.session_expiry {
            check_range("session_expiry", seconds, SESSION_EXPIRY_SECONDS)?;
            profile.session_expiry_seconds = seconds;
        }
        if let Some(seconds) = input.intent_fulfillment_time {
            check_range(
                "intent_fulfillment_time",
                seconds,
                INTENT_FULFILLMENT_SECONDS,
            )?;
            profile.intent_fulfillment_seconds = seconds;
        }
        if let Some(headers) = input.custom_headers {
            let stored = &self.secrets.custom_headers;
            profile.secrets.custom_headers = CustomHeader::read_all(headers, stored)?;
        }
        profile.secrets.payment_response_hash_key = secret::written_or_stored(
            input.payment_response_hash_key,
            profile.secrets.payment_response_hash_key,
            "payment_response_hash_key",
        )?;
        if let Some(enable) = input.enable_payment_response_hash {
            profile.enable_payment_response_hash = enable;
        }
        if let Some(by_post) = input.redirect_to_merchant_with_http_post {
            profile.redirect_to_merchant_with_http_post = by_post;
        }
        check_category_code(&input.notes)?;
        profile.is_manual_retry_enabled = input
            .is_manual_retry_enabled
            .or(profile.is_manual_retry_enabled);
        if let Some(enabled) = input.is_auto_retries_enabled {
            profile.is_auto_retries_enabled = enabled;
        }
        if let Some(times) = input.max_auto_retries_enabled {
            if times > AUTO_RETRIES_AT_MOST {
                return Err(Refusal::invalid_value(format!(
                    "max_auto_retries_enabled has to lie between 0 and {AUTO_RETRIES_AT_MOST}"
                )));
            }
            profile.max_auto_retries_enabled = Some(times);
        }
        if let Some(config) = input.payment_link_config {
            config.check()?;
            profile.payment_link_config = Some(config);
        }
        profile.external_vault = input.external_vault.over(profile.external_vault)?;
        profile.billing_processor_id = input.billing_processor_id.or(profile.billing_processor_id);
        profile.notes = notes::updated(&self.notes, input.notes);
        profile.modified_at = now;
        Ok(profile)
    }

    /// Returns how many retries a confirm may make by itself; the default is one.
    pub fn auto_retries(&self) -> u32 {
        if self.is_auto_retries_enabled {
            self.max_auto_retries_enabled.unwrap_or(1)
        } else {
            0
        }
    }

    /// Returns the value of a switch.
    pub fn switch(&self, member: &str) -> bool {
        let switch = notes::find(&self.notes, member);
        switch.and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns the profile with a new webhook secret. The previous secret stays valid for `previous_valid_for_seconds`, but
    /// never longer than before. Older secrets end, so at most two are valid at once.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a time outside 0 to 2,592,000 seconds.
    pub fn rotate_webhook_secret(
        &self,
        now: Timestamp,
        random: &dyn Random,
        previous_valid_for_seconds: i64,
    ) -> Result<Self, Refusal> {
        const MEMBER: &str = "previous_valid_for_seconds";
        check_range(MEMBER, previous_valid_for_seconds, PREVIOUS_SECRET_SECONDS)?;
        let mut profile = self.clone();
        let secrets = &mut profile.secrets.webhook_secrets;
        secrets.truncate(1);
        if let Some(end) = now.plus_seconds(previous_valid_for_seconds) {
            for previous in secrets.iter_mut() {
                previous.ends_at(end);
            }
        }
        secrets.retain(|previous| previous.is_valid(now));
        secrets.insert(0, WebhookSecret::generate(now, random));
        profile.modified_at = now;
        Ok(profile)
    }

    /// Returns the key that signs messages to the merchant; empty if unset.
    pub fn payment_response_hash_key(&self) -> SecretText {
        let key = &self.secrets.payment_response_hash_key;
        key.clone().unwrap_or_default()
    }

    /// Builds the refusal for a name that another profile of the merchant has.
    pub fn duplicate(&self) -> Refusal {
        Refusal::ProfileNameTaken {
            name: self.profile_name.clone(),
        }
    }
}

/// Chooses the profile of a new object. The first that applies decides: the profile that was named, the merchant's default, the
/// profile of the line of business (an older way), the only profile.
///
/// # Errors
/// [`Refusal::NotFound`] for a profile that isn't the merchant's, [`Refusal::Missing`] if nothing decides.
pub fn choose_profile<'a, P: Borrow<Profile>>(
    named: Option<&ProfileId>,
    merchant: &MerchantAccount,
    business: Option<(CountryCode, &str)>,
    profiles: &'a [P],
) -> Result<&'a P, Refusal> {
    let find = |id: &ProfileId| {
        let found = profiles
            .iter()
            .find(|profile| (*profile).borrow().profile_id == *id);
        found.ok_or(Refusal::not_found(Object::BusinessProfile))
    };
    if let Some(id) = named.or(merchant.default_profile.as_ref()) {
        return find(id);
    }
    if let Some((country, label)) = business {
        let name = format!("{country}_{label}");
        let mut profiles = profiles.iter();
        if let Some(profile) = profiles.find(|profile| (*profile).borrow().profile_name == name) {
            return Ok(profile);
        }
    }
    match profiles {
        [only] => Ok(only),
        [] | [_, ..] => Err(Refusal::missing("profile_id")),
    }
}

/// The largest number of schemes of a profile.
const SCHEMES_AT_MOST: usize = 10;

fn check_schemes(schemes: &[String]) -> Result<(), Refusal> {
    let are_good = schemes.iter().all(|scheme| is_app_scheme(scheme));
    if are_good && schemes.len() <= SCHEMES_AT_MOST {
        return Ok(());
    }
    Err(Refusal::invalid_format(
        "return_url_schemes",
        "at most 10 schemes of apps such as com.example.shop, in lower case and without ://",
    ))
}

fn read_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 64 {
        return Err(Refusal::invalid_format(
            "profile_name",
            "1 to 64 characters",
        ));
    }
    Ok(name.to_owned())
}

/// Checks that the category code has four digits. (ISO 18245)
fn check_category_code(notes: &Map<String, Value>) -> Result<(), Refusal> {
    const MEMBER: &str = "merchant_category_code";
    let four_digits =
        |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    match notes.get(MEMBER) {
        None | Some(Value::Null) => Ok(()),
        Some(code) if code.as_str().is_some_and(four_digits) => Ok(()),
        Some(_) => Err(Refusal::invalid_format(
            MEMBER,
            "the four digits of a merchant category",
        )),
    }
}

fn check_range(
    member: &str,
    seconds: i64,
    range: std::ops::RangeInclusive<i64>,
) -> Result<(), Refusal> {
    if range.contains(&seconds) {
        return Ok(());
    }
    Err(Refusal::invalid_value(format!(
        "{member} has to lie between {} and {} seconds",
        range.start(),
        range.end()
    )))
}

#[cfg(test)]
mod tests;
