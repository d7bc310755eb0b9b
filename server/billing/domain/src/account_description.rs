//! Our own billing engine, as the connector accounts of a merchant name it. This crate computes all
//! that it does. So nobody is ever called, and nothing has to be kept secret.

use multirail_sdk::connector::{Capabilities, ConnectorType, CredentialsKind, Description};

use super::OWN_ENGINE;

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
