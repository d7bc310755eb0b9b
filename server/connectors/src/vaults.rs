//! Vaults of the merchant's own, into which the payer's side puts cards without us. Accounts are opened for them, and nobody
//! is ever called.

use multirail_sdk::connector::{Capabilities, ConnectorType, CredentialsKind, Description};

/// Those for which accounts can be opened.
pub static DESCRIPTIONS: [Description; 1] = [describe("vgs")];

const fn describe(name: &'static str) -> Description {
    Description {
        name,
        is_simulator: false,
        offers: &[ConnectorType::VaultProcessor],
        // User name, password, and the id of the vault.
        credentials: CredentialsKind::SignatureKey,
        settings: &[],
        shown: &[],
        category_of: |_| None,
        capabilities: Capabilities::NONE,
    }
}
