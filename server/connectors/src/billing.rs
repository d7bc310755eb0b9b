//! Our own billing engine, as the connector accounts of a merchant name it. What it does is computed here
//! (`domain/billing`), so nobody is ever called and there is nothing to be kept secret. An outside engine takes its place by a
//! connector of the same kind, which implements `ports/billing_engine`: the simulated one is `simulator/engine.rs`.

use multirail_domain::billing::OWN_ENGINE;
use multirail_domain::connector::{
    Capabilities, Description, DisputeAbilities, Recoveries, Recovery,
};
use multirail_domain::connector_account::{ConnectorType, CredentialsKind};
use multirail_domain::session::WalletAbilities;

/// Those for which accounts can be opened.
pub static DESCRIPTIONS: [Description; 1] = [Description {
    name: OWN_ENGINE,
    is_simulator: false,
    offers: &[ConnectorType::BillingProcessor],
    credentials: CredentialsKind::NoKey,
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
}];
