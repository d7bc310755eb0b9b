//! The destination of the payer's card details: this server, or the merchant's own vault if the profile has one.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::connector::ConnectorType;

use crate::accounts::connector_account::{ConnectorAccount, VGS};
use crate::accounts::profile::Profile;
use crate::payments::session::authorization::SdkAuthorization;

/// The content of `vault_details`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VaultDetails {
    Internal(SdkAuthorization),
    Vgs(VgsVault),
}

/// A vault of VGS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VgsVault {
    pub external_vault_id: String,
    pub sdk_env: &'static str,
}

/// Returns the account of the merchant's own vault, if the profile uses one.
pub fn vault_connector_id(profile: &Profile) -> Option<&ConnectorAccountId> {
    let vault = profile.external_vault.as_ref()?;
    vault.is_enabled.then_some(vault.connector_id.as_ref()?)
}

/// Returns the merchant's own vault if the account is one and is enabled; or else this server.
pub fn vault_details(account: Option<&ConnectorAccount>, own: SdkAuthorization) -> VaultDetails {
    match account.and_then(vgs) {
        Some(vault) => VaultDetails::Vgs(vault),
        None => VaultDetails::Internal(own),
    }
}

fn vgs(account: &ConnectorAccount) -> Option<VgsVault> {
    let is_vault = account.connector_type == ConnectorType::VaultProcessor
        && account.connector_name == VGS
        && account.is_enabled();
    // The credentials are user name, password and the vault's id. The id isn't secret.
    let id = account.secrets.credentials.member("api_secret")?;
    is_vault.then(|| VgsVault {
        external_vault_id: id.expose().to_owned(),
        sdk_env: if account.test_mode == Some(true) {
            "sandbox"
        } else {
            "live"
        },
    })
}
