//! Merchant accounts: the accounts that get paid.

use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId};
use multirail_kernel::notes;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::web_address::check_web_address;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::accounts::webhook_settings::{WebhookSettings, WebhookSettingsInput};

words! {
    /// The role of a merchant account within its organization.
    pub enum MerchantAccountType {
        /// Gets paid and acts only for itself.
        Standard = "standard",
        /// Acts for the connected accounts of its organization.
        Platform = "platform",
        /// Lets the platform of its organization act for it.
        Connected = "connected",
    }
}

/// A line of business in a country; each becomes a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusinessDetail {
    pub country: CountryCode,
    pub business: String,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A merchant's account. Some settings are only defaults for new profiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MerchantAccount {
    pub merchant_id: MerchantId,
    pub organization_id: OrganizationId,
    pub merchant_account_type: MerchantAccountType,
    pub merchant_name: Option<String>,
    /// Stored in clear: it identifies the merchant and grants no access.
    pub publishable_key: String,
    /// The profile of calls that don't name one.
    pub default_profile: Option<ProfileId>,
    pub return_url: Option<String>,
    pub webhook: Option<WebhookSettings>,
    pub enable_payment_response_hash: bool,
    pub redirect_to_merchant_with_http_post: bool,
    pub primary_business_details: Vec<BusinessDetail>,
    /// Values that the server only stores and returns (`metadata`, `merchant_details`, ...), by wire name.
    pub notes: Map<String, Value>,
    /// When the account was deleted. The record stays, but its keys and profiles no longer work.
    pub deleted_at: Option<Timestamp>,
    /// Sealed separately. Empty in a record that was read, until the secrets are unsealed.
    #[serde(skip)]
    pub secrets: MerchantSecrets,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The sealed part of a merchant account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MerchantSecrets {
    /// The key that signs messages to the merchant.
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub payment_response_hash_key: Option<SecretText>,
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub webhook_password: Option<SecretText>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input for a new account.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMerchantAccount {
    pub merchant_id: MerchantId,
    /// Standard if `None`.
    pub merchant_account_type: Option<MerchantAccountType>,
    pub settings: MerchantAccountUpdate,
}

/// A caller's changes to an account; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MerchantAccountUpdate {
    pub merchant_name: Option<String>,
    pub return_url: Option<String>,
    pub webhook: Option<WebhookSettingsInput>,
    pub enable_payment_response_hash: Option<bool>,
    pub payment_response_hash_key: Option<SecretText>,
    pub redirect_to_merchant_with_http_post: Option<bool>,
    pub primary_business_details: Option<Vec<BusinessDetail>>,
    /// Has to be a profile of the merchant. A new account has none yet.
    pub default_profile: Option<ProfileId>,
    pub notes: Map<String, Value>,
}

impl MerchantAccount {
    /// Returns the account with the update applied. `profiles` are the ids of the merchant's profiles.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for a default profile that isn't the merchant's. Settings have their own refusals.
    pub fn update(
        &self,
        input: MerchantAccountUpdate,
        profiles: &[ProfileId],
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let mut account = self.clone();
        if let Some(address) = &input.return_url {
            check_web_address("return_url", address)?;
        }
        if let Some(profile) = input.default_profile {
            if !profiles.contains(&profile) {
                return Err(Refusal::not_found(Object::BusinessProfile));
            }
            account.default_profile = Some(profile);
        }
        if let Some(mut webhook) = input.webhook {
            account.secrets.webhook_password = secret::written_or_stored(
                webhook.webhook_password.take(),
                account.secrets.webhook_password,
                "webhook_details.webhook_password",
            )?;
            account.webhook = Some(WebhookSettings::default().updated(webhook)?);
        }
        account.secrets.payment_response_hash_key = secret::written_or_stored(
            input.payment_response_hash_key,
            account.secrets.payment_response_hash_key,
            "payment_response_hash_key",
        )?;
        if let Some(details) = input.primary_business_details {
            account.primary_business_details = details;
        }
        if let Some(enable) = input.enable_payment_response_hash {
            account.enable_payment_response_hash = enable;
        }
        if let Some(by_post) = input.redirect_to_merchant_with_http_post {
            account.redirect_to_merchant_with_http_post = by_post;
        }
        account.merchant_name = input.merchant_name.or(account.merchant_name);
        account.return_url = input.return_url.or(account.return_url);
        account.notes = notes::updated(&self.notes, input.notes);
        account.modified_at = now;
        Ok(account)
    }

    /// Returns the account marked as deleted.
    pub fn delete(&self, now: Timestamp) -> Self {
        MerchantAccount {
            deleted_at: self.deleted_at.or(Some(now)),
            modified_at: now,
            ..self.clone()
        }
    }

    /// Builds the refusal for an id that is taken.
    pub fn duplicate(merchant_id: &MerchantId) -> Refusal {
        Refusal::Duplicate {
            message: format!("a merchant account with id {merchant_id} exists already"),
        }
    }
}

impl MerchantSecrets {
    /// Returns the text to seal.
    pub fn to_sealable(&self) -> SecretText {
        secret::to_sealable(self)
    }

    /// Reads the text that [`MerchantSecrets::to_sealable`] wrote.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        secret::from_sealable(text)
    }
}

#[cfg(test)]
mod tests;
