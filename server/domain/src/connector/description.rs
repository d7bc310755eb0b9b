//! Everything about a connector that isn't code of its own: its name, what opens an account, what it can do. Whoever asks
//! what connectors there are asks this.

use serde_json::Value;

use super::Capabilities;
use crate::connector_account::{ConnectorType, CredentialsKind};

/// One connector.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its word in the contract (`connector_name`).
    pub name: &'static str,
    /// It moves no money, so only a sandbox has it.
    pub is_simulator: bool,
    /// The services that it offers.
    pub offers: &'static [ConnectorType],
    pub credentials: CredentialsKind,
    /// The members of an account's `metadata` that it reads.
    pub settings: &'static [AccountSetting],
    pub capabilities: Capabilities,
}

/// A member of an account's `metadata` that a connector reads.
#[derive(Clone, Copy, Debug)]
pub struct AccountSetting {
    pub name: &'static str,
    pub needed: Needed,
    /// What it has to be, behind "has to be": "a text of 1 to 64 letters, digits and hyphens".
    pub form: &'static str,
    /// Whether a value has that form.
    pub fits: fn(&Value) -> bool,
}

/// When an account must have a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    Never,
    Always,
    /// Where real money moves (`test_mode` unset or false).
    OutsideTestMode,
}
