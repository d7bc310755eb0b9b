//! Configurations that learn from outcomes.
//!
//! The operations of dynamic routing make them, as `RoutingRecord` with `Algorithm::Dynamic` and `TransactionType::Payment`;
//! `POST /routing` doesn't. [`DynamicAlgorithm`] holds the content of a configuration, [`super::ProfileRouting`] the active
//! one. A [`super::RoutingStrategy`] applies it to the eligible accounts.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::elimination::{Elimination, EliminationConfig, EliminationInput};
use super::success_based::{SuccessBasedConfig, SuccessBasedInput, SuccessRates};
use crate::accounts::profile::DynamicKind;

/// The content of a dynamic configuration: one of the kinds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DynamicAlgorithm {
    /// Tries accounts last whose processor fails repeatedly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elimination: Option<EliminationConfig>,
    /// Tries the account first that succeeds most often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<SuccessBasedConfig>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A caller's input for a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum DynamicInput {
    Elimination(EliminationInput),
    SuccessBased(SuccessBasedInput),
}

impl DynamicInput {
    pub fn kind(&self) -> DynamicKind {
        match self {
            DynamicInput::Elimination(_) => DynamicKind::Elimination,
            DynamicInput::SuccessBased(_) => DynamicKind::SuccessBased,
        }
    }
}

impl DynamicInput {
    /// Checks each number on its own.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of bounds; it names the member.
    pub fn check(&self) -> Result<(), Refusal> {
        match self {
            DynamicInput::Elimination(input) => input.check(),
            DynamicInput::SuccessBased(input) => input.check(),
        }
    }
}

impl DynamicAlgorithm {
    /// Returns the default configuration of a kind.
    pub fn usual(kind: DynamicKind) -> Self {
        let none = DynamicAlgorithm::default();
        match kind {
            DynamicKind::Elimination => DynamicAlgorithm {
                elimination: Some(EliminationConfig::default()),
                ..none
            },
            DynamicKind::SuccessBased => DynamicAlgorithm {
                success_based: Some(SuccessBasedConfig::default()),
                ..none
            },
        }
    }

    /// Returns the configuration's kind; `None` for a kind of a later version.
    pub fn kind(&self) -> Option<DynamicKind> {
        match (&self.elimination, &self.success_based) {
            (Some(_), _) => Some(DynamicKind::Elimination),
            (None, Some(_)) => Some(DynamicKind::SuccessBased),
            (None, None) => None,
        }
    }

    /// Returns the configuration with the caller's input applied.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of bounds; it names the member.
    pub fn with(&self, input: DynamicInput) -> Result<Self, Refusal> {
        let mut changed = self.clone();
        match input {
            DynamicInput::Elimination(input) => {
                let before = changed.elimination.take().unwrap_or_default();
                changed.elimination = Some(before.with(input)?);
            }
            DynamicInput::SuccessBased(input) => {
                let before = changed.success_based.take().unwrap_or_default();
                changed.success_based = Some(before.with(input)?);
            }
        }
        Ok(changed)
    }
}

/// The state of a profile's dynamic routing at a confirm.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Share of payments that it decides: 0 to 100 percent.
    pub split: u8,
    pub success_rates: Option<SuccessRates>,
    pub elimination: Option<Elimination>,
}
