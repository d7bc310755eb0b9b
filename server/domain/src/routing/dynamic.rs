//! Configurations that learn from outcomes.
//!
//! The operations of dynamic routing make them (`RoutingRecord` with `Algorithm::Dynamic`, `TransactionType::Payment`); no
//! call of `POST /routing` does. What such a configuration says is a member of [`DynamicAlgorithm`], which one is active a
//! member of [`super::ProfileRouting`] beside `active`, and what it does to an order is called by
//! [`super::Routed::learned`] after the eligible accounts stand in order.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::elimination::{Elimination, EliminationConfig, EliminationInput};
use super::evaluate::Facts;
use super::success_based::{Rated, SuccessBasedConfig, SuccessBasedInput, SuccessRates};
use crate::accounts::connector_account::Candidate;
use crate::accounts::profile::DynamicKind;

/// What a dynamic configuration says: of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DynamicAlgorithm {
    /// Accounts whose processor fails again and again are tried last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elimination: Option<EliminationConfig>,
    /// The account that succeeds most often is tried first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<SuccessBasedConfig>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What a caller says of a configuration.
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
    /// Checks each number by itself.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of its bounds; it names the member.
    pub fn check(&self) -> Result<(), Refusal> {
        match self {
            DynamicInput::Elimination(input) => input.check(),
            DynamicInput::SuccessBased(input) => input.check(),
        }
    }
}

impl DynamicAlgorithm {
    /// One of a kind with what holds where nobody says anything.
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

    /// Of which kind it is; a later version's may be of none that is known here.
    pub fn kind(&self) -> Option<DynamicKind> {
        match (&self.elimination, &self.success_based) {
            (Some(_), _) => Some(DynamicKind::Elimination),
            (None, Some(_)) => Some(DynamicKind::SuccessBased),
            (None, None) => None,
        }
    }

    /// The same with what the caller says of that kind.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a number out of its bounds; it names the member.
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

/// What a confirm knows of the dynamic routing of its profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Of how many payments it decides: 0 to 100 percent.
    pub split: u8,
    pub success_rates: Option<SuccessRates>,
    pub elimination: Option<Elimination>,
}

/// An order that dynamic routing made.
pub(super) struct Learned<'a> {
    pub order: Vec<&'a Candidate>,
    /// The rates by which it was made, where it was: the best first.
    pub rated: Vec<Rated<'a>>,
    /// The first one was drawn.
    pub is_explored: bool,
    /// Those that elimination put last.
    pub moved: Vec<&'a Candidate>,
}

impl Dynamic {
    /// Whether it decides of the payment with this draw.
    pub fn applies(&self, draw: u32) -> bool {
        Chance::Share.of(draw, 100) < u64::from(self.split)
    }

    /// The accounts in its order: by success rate, one drawn by chance first where the payment explores, and what is
    /// eliminated last. What is eliminated is not explored.
    pub(super) fn order<'a>(
        &self,
        facts: &Facts<'_>,
        draw: u32,
        order: Vec<&'a Candidate>,
    ) -> Learned<'a> {
        let (order, rated) = match &self.success_rates {
            None => (order, Vec::new()),
            Some(rates) => {
                let rated = rates.order(facts, order);
                let order = rated.iter().map(|(_, candidate)| *candidate).collect();
                (order, rated)
            }
        };
        let (mut order, moved) = match &self.elimination {
            None => (order, Vec::new()),
            Some(elimination) => elimination.part(facts, order),
        };
        let rates = self.success_rates.as_ref();
        let is_explored = rates.is_some_and(|rates| rates.explore(draw, &mut order));
        order.extend(moved.iter().copied());
        Learned {
            order,
            rated,
            is_explored,
            moved,
        }
    }
}
