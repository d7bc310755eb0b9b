//! Describes our own billing engine as a connector of merchants' connector accounts. This crate computes every result
//! itself, so the engine sends no requests and needs no credentials.

use multirail_sdk::connector::{Capabilities, ConnectorType, CredentialsKind, Description};

use super::OWN_ENGINE;

/// The engines for which merchants can open connector accounts.
pub static DESCRIPTIONS: [Description; 1] = [Description {
    name: OWN_ENGINE,
    is_simulator: false,
    offers: &[ConnectorType::BillingProcessor],
    credentials: CredentialsKind::NoKey,
    credential_names: &[],
    webhook_secrets: &[],
    settings: &[],
    shown: &[],
    api_version: None,
    notice_answer: "",
    category_of: |_| None,
    capabilities: Capabilities::NONE,
}];
