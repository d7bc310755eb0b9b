//! Vaults of the merchant's own, into which the payer's side puts cards without us. Accounts are opened for them, and nobody
//! is ever called.

use multirail_domain::connector::{
    Capabilities, Description, DisputeAbilities, Recoveries, Recovery,
};
use multirail_domain::connector_account::{ConnectorType, CredentialsKind};
use multirail_domain::session::WalletAbilities;

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
        capabilities: Capabilities {
            payment_methods: &[],
            capture_methods: &[],
            redirects: false,
            verifies_cards: false,
            recovery: Recoveries::all(Recovery::Notice),
            repeats_authorizations: false,
            voids_captured: false,
            charges_kept: false,
            raises_authorizations: false,
            holds_for_review: false,
            extends_authorizations: false,
            overcaptures: false,
            wallets: WalletAbilities::NONE,
            disputes: DisputeAbilities::NONE,
        },
    }
}
