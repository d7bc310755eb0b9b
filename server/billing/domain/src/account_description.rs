//! Our own billing engine, as the connector accounts of a merchant name it. What it does is computed
//! in this crate, so nobody is ever called and there is nothing to be kept secret.

use super::OWN_ENGINE;
use multirail_sdk::connector::{Capabilities, ConnectorType, CredentialsKind, Description};

/// Those for which accounts can be opened.
pub static DESCRIPTIONS: [Description; 1] = [Description {
    name: OWN_ENGINE,
    is_simulator: false,
    offers: &[ConnectorType::BillingProcessor],
    credentials: CredentialsKind::NoKey,
    settings: &[],
    shown: &[],
    category_of: |_| None,
    capabilities: Capabilities::NONE,
}];
