//! The merchant's own vaults, which the payer's client fills without this server. They have
//! accounts and are never called.

use multirail_sdk::connector::{Capabilities, ConnectorType, CredentialsKind, Description};

/// The vaults for which accounts can be created.
pub static DESCRIPTIONS: [Description; 1] = [describe("vgs")];

const fn describe(name: &'static str) -> Description {
    Description {
        name,
        is_simulator: false,
        offers: &[ConnectorType::VaultProcessor],
        credentials: CredentialsKind::SignatureKey,
        credential_names: &["User name", "Password", "Vault id"],
        webhook_secrets: &[],
        settings: &[],
        shown: &[],
        api_version: None,
        notice_answer: "",
        category_of: |_| None,
        capabilities: Capabilities::NONE,
    }
}
