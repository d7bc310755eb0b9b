//! Where the payer's card details go: to this service, or to the merchant's own vault where its profile has one.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::connector::ConnectorType;

use crate::accounts::connector_account::{ConnectorAccount, VGS};
use crate::accounts::profile::Profile;
use crate::payments::session::authorization::SdkAuthorization;

/// What `vault_details` say.
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

/// The account of the merchant's own vault, where the profile has one switched on.
pub fn vault_connector_id(profile: &Profile) -> Option<&ConnectorAccountId> {
    let vault = profile.external_vault.as_ref()?;
    vault.is_enabled.then_some(vault.connector_id.as_ref()?)
}

/// The merchant's own vault, if that account is one and can be used; else this service.
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
    // User name, password, and the id of the vault, which is no secret.
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
