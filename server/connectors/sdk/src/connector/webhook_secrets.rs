//! The secrets that verify an account's notices.

use serde::{Deserialize, Serialize};

use multirail_kernel::random::{Random, alphanumeric};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::{self, SecretText};
use multirail_kernel::unread::UnreadMembers;

/// The secrets with which a processor's notices are verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSecrets {
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub merchant_secret: SecretText,
    #[serde(with = "multirail_kernel::secret::sealed_option", default)]
    pub additional_secret: Option<SecretText>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl WebhookSecrets {
    /// The members, as requests name them.
    pub const MEMBERS: [&'static str; 2] = ["merchant_secret", "additional_secret"];

    /// Generates a random secret.
    pub fn generate(random: &dyn Random) -> Self {
        WebhookSecrets {
            merchant_secret: SecretText::new(alphanumeric(random, 32)),
            additional_secret: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Replaces masked members by the stored secrets. Callers that were shown masks may send them
    /// back.
    pub fn over(self, stored: Option<&WebhookSecrets>) -> Result<Self, Refusal> {
        let written = |given, stored, member: &str| {
            let path = format!("connector_webhook_details.{member}");
            secret::written(given, stored, SecretText::masked, &path)
        };
        let merchant_secret = stored.map(|stored| &stored.merchant_secret);
        let additional_secret = stored.and_then(|stored| stored.additional_secret.as_ref());
        Ok(WebhookSecrets {
            merchant_secret: written(self.merchant_secret, merchant_secret, "merchant_secret")?,
            additional_secret: self
                .additional_secret
                .map(|given| written(given, additional_secret, "additional_secret"))
                .transpose()?,
            unread: UnreadMembers::default(),
        })
    }
}
