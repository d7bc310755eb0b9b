//! What of a profile rests sealed, and the signature that it gives the merchant.

use hmac::{Hmac, Mac};
use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};
use sha2::Sha512;

use crate::accounts::webhook_settings::CustomHeader;

use super::WebhookSecret;

/// What of a profile rests sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSecrets {
    /// Signs what goes to the merchant.
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub payment_response_hash_key: Option<SecretText>,
    #[serde(with = "multirail_kernel::secret::sealed_option")]
    pub webhook_password: Option<SecretText>,
    /// Sign webhooks by Standard Webhooks: the newest first, behind it the one before while it is valid.
    pub webhook_secrets: Vec<WebhookSecret>,
    /// Headers that go with every webhook; they may carry credentials of the merchant's endpoint.
    pub custom_headers: Vec<CustomHeader>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileSecrets {
    /// How a merchant knows that something is ours, be it a webhook's body or what a payer brings back: its HMAC-SHA512 in
    /// lower-case hexadecimal, the text of the payment response hash key as key. `None` without one.
    pub fn signature_512(&self, signed: &[u8]) -> Option<String> {
        let key = self.payment_response_hash_key.as_ref();
        let key = key.filter(|key| !key.is_empty())?.expose().as_bytes();
        let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("a key of HMAC has any length");
        mac.update(signed);
        let digest = mac.finalize().into_bytes();
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The text to be sealed.
    pub fn to_sealable(&self) -> SecretText {
        secret::to_sealable(self)
    }

    /// Reads what [`ProfileSecrets::to_sealable`] wrote.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        secret::from_sealable(text)
    }
}
