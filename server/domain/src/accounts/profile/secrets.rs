//! The sealed part of a profile, and the signatures that it makes.

use hmac::{Hmac, Mac};
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};
use sha2::Sha512;

use crate::accounts::webhook_settings::CustomHeader;

use super::{EndpointSecret, WebhookSecret};

/// The sealed part of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSecrets {
    /// The key that signs messages to the merchant.
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub payment_response_hash_key: Option<SecretText>,
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub webhook_password: Option<SecretText>,
    /// Secrets that sign webhooks by Standard Webhooks: the newest first, then the previous one while it is valid.
    pub webhook_secrets: Vec<WebhookSecret>,
    /// Headers of every webhook. They may carry credentials of the merchant's endpoint.
    pub custom_headers: Vec<CustomHeader>,
    /// The secret of each further webhook endpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endpoint_secrets: Vec<EndpointSecret>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileSecrets {
    /// Signs a webhook's body or the query of a return address for the merchant. The signature is HMAC-SHA512 in lower-case
    /// hexadecimal, with the text of the payment response hash key as key. `None` without a key.
    pub fn signature_512(&self, signed: &[u8]) -> Option<String> {
        let key = self.payment_response_hash_key.as_ref();
        let key = key.filter(|key| !key.is_empty())?.expose().as_bytes();
        let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("a key of HMAC has any length");
        mac.update(signed);
        let digest = mac.finalize().into_bytes();
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns the text to seal.
    pub fn to_sealable(&self) -> SecretText {
        secret::to_sealable(self)
    }

    /// Reads the text that [`ProfileSecrets::to_sealable`] wrote.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        secret::from_sealable(text)
    }
}
