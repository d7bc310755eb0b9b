//! A merchant's own vault for cards.

use serde::{Deserialize, Serialize};

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

/// A merchant's own vault, in which the payer's browser may store cards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalVault {
    pub is_enabled: bool,
    /// The connector account at the vault.
    pub connector_id: Option<ConnectorAccountId>,
    /// The name of the vault's form in the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sdk: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's changes to that vault; `None` leaves a member unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalVaultInput {
    pub is_enabled: Option<bool>,
    /// Account and form; they replace both stored values.
    pub connector: Option<(ConnectorAccountId, Option<String>)>,
}

impl ExternalVaultInput {
    /// Applies the input to the stored vault.
    pub(crate) fn over(
        self,
        stored: Option<Box<ExternalVault>>,
    ) -> Result<Option<Box<ExternalVault>>, Refusal> {
        if self == Self::default() {
            return Ok(stored);
        }
        let mut vault = stored.unwrap_or_default();
        vault.is_enabled = self.is_enabled.unwrap_or(vault.is_enabled);
        if let Some((connector_id, sdk)) = self.connector {
            vault.connector_id = Some(connector_id);
            vault.sdk = sdk;
        }
        if vault.is_enabled && vault.connector_id.is_none() {
            return Err(Refusal::missing(
                "external_vault_connector_details.vault_connector_id",
            ));
        }
        Ok(Some(vault))
    }
}
