//! The sealed part of a connector account.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use multirail_kernel::secret::{self, SecretText, UnreadableSecrets};
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{Credentials, WebhookSecrets};

/// All secrets of an account, sealed as one text.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectorSecrets {
    pub credentials: Credentials,
    pub webhook: Option<WebhookSecrets>,
    /// Members that contain keys or bank accounts (`connector_wallets_details`, `additional_merchant_data`), by wire name.
    pub notes: SecretNotes,
    pub unread: UnreadMembers,
}

/// The member of an account that holds certificates and settings of wallets.
pub const WALLETS_DETAILS: &str = "connector_wallets_details";

/// Secret members; `Debug` doesn't print them.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretNotes(pub Map<String, Value>);

impl std::fmt::Debug for SecretNotes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretNotes(..)")
    }
}

#[derive(Serialize, Deserialize)]
struct Sealable {
    #[serde(with = "multirail_kernel::secret::sealed")]
    credentials: SecretText,
    webhook: Option<WebhookSecrets>,
    notes: SecretNotes,
    #[serde(flatten)]
    unread: UnreadMembers,
}

impl ConnectorSecrets {
    /// Returns the text to seal.
    pub fn to_sealable(&self) -> SecretText {
        let sealable = Sealable {
            credentials: self.credentials.to_json(),
            webhook: self.webhook.clone(),
            notes: self.notes.clone(),
            unread: self.unread.clone(),
        };
        secret::to_sealable(&sealable)
    }

    /// Reads the text that [`ConnectorSecrets::to_sealable`] wrote.
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        let sealable: Sealable = secret::from_sealable(text)?;
        Ok(ConnectorSecrets {
            credentials: Credentials::from_json(&sealable.credentials)?,
            webhook: sealable.webhook,
            notes: sealable.notes,
            unread: sealable.unread,
        })
    }
}

/// Returns the placeholder in a record whose secrets are still sealed.
impl Default for ConnectorSecrets {
    fn default() -> Self {
        ConnectorSecrets {
            credentials: Credentials::temporary(),
            webhook: None,
            notes: SecretNotes::default(),
            unread: UnreadMembers::default(),
        }
    }
}
