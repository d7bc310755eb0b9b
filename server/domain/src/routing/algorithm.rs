//! The algorithm of a stored configuration. It is stored and returned in the form in which it is sent. (Facts 10.1)

use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dynamic::DynamicAlgorithm;
use super::program::{Decision, Program};
use super::selection::{Selection, check_choices, parse_choices, parse_shares};
use super::straight_through::{Choice, Share};

words! {
    /// The kind of a stored configuration.
    pub enum AlgorithmKind {
        Single = "single",
        Priority = "priority",
        VolumeSplit = "volume_split",
        Advanced = "advanced",
        Dynamic = "dynamic",
        ThreeDsDecisionRule = "three_ds_decision_rule",
    }
}

/// The content of a configuration. A stored configuration with members that this version doesn't know is refused. Without
/// them, routing could choose an account that they exclude.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Algorithm {
    Single(Choice),
    /// The first eligible account of a list.
    Priority(Vec<Choice>),
    /// The account that a random draw by these shares puts first.
    VolumeSplit(Vec<Share>),
    /// Rules about the payment.
    Advanced(Box<Program<Selection>>),
    /// Rules that decide whether the payer authenticates.
    ThreeDsDecisionRule(Box<Program<Decision>>),
    /// Learns from outcomes. The operations of dynamic routing make it; [`Algorithm::parse`] never does.
    Dynamic(Box<DynamicAlgorithm>),
}

const PATH: &str = "algorithm";
const DATA: &str = "algorithm.data";

impl Algorithm {
    /// Reads `{type, data}`.
    ///
    /// # Errors
    /// A refusal that names the member: it doesn't fit `type`, or it is out of bounds.
    pub fn parse(value: &Value) -> Result<Self, Refusal> {
        let object = open_json::object(value, PATH, &["type", "data"])?;
        let kind: String = open_json::required(object, "type", PATH, "a word")?;
        let kind = kind.parse::<AlgorithmKind>().map_err(|_| {
            let words: Vec<&str> = AlgorithmKind::ALL
                .iter()
                .map(|kind| kind.as_str())
                .collect();
            let why = format!("has to be one of: {}", words.join(", "));
            open_json::malformed("algorithm.type", &why)
        })?;
        Algorithm::read(kind, object.get("data").unwrap_or(&Value::Null))
    }

    /// Reads the `data` of this kind.
    ///
    /// # Errors
    /// As for [`Algorithm::parse`].
    pub fn read(kind: AlgorithmKind, data: &Value) -> Result<Self, Refusal> {
        if data.is_null() {
            return Err(Refusal::missing(DATA));
        }
        Ok(match kind {
            AlgorithmKind::Single => Algorithm::Single(Choice::parse(data, DATA)?),
            AlgorithmKind::Priority => Algorithm::Priority(parse_choices(data, DATA)?),
            AlgorithmKind::VolumeSplit => Algorithm::VolumeSplit(parse_shares(data, DATA)?),
            AlgorithmKind::Advanced => Algorithm::Advanced(Box::new(Program::parse(data, DATA)?)),
            AlgorithmKind::ThreeDsDecisionRule => {
                Algorithm::ThreeDsDecisionRule(Box::new(Program::parse(data, DATA)?))
            }
            AlgorithmKind::Dynamic => {
                return Err(open_json::malformed(
                    "algorithm.type",
                    "is dynamic: such a configuration is made by the operations of dynamic routing",
                ));
            }
        })
    }

    /// Returns the value of `type`.
    pub fn kind(&self) -> AlgorithmKind {
        match self {
            Algorithm::Single(_) => AlgorithmKind::Single,
            Algorithm::Priority(_) => AlgorithmKind::Priority,
            Algorithm::VolumeSplit(_) => AlgorithmKind::VolumeSplit,
            Algorithm::Advanced(_) => AlgorithmKind::Advanced,
            Algorithm::ThreeDsDecisionRule(_) => AlgorithmKind::ThreeDsDecisionRule,
            Algorithm::Dynamic(_) => AlgorithmKind::Dynamic,
        }
    }

    /// Refuses decisions about 3-D Secure that no connector can carry out.
    pub(super) fn check_decisions(&self) -> Result<(), Refusal> {
        let check = |selected: &Decision, path: &str| match selected.decision.authentication_type()
        {
            Some(_) => Ok(()),
            None => Err(Refusal::FlowNotSupported {
                flow: format!(
                    "activating a configuration whose {path}.decision is {}",
                    selected.decision
                ),
            }),
        };
        match self {
            Algorithm::ThreeDsDecisionRule(program) => program.each_selection(DATA, &check),
            Algorithm::Single(_)
            | Algorithm::Priority(_)
            | Algorithm::VolumeSplit(_)
            | Algorithm::Advanced(_)
            | Algorithm::Dynamic(_) => Ok(()),
        }
    }

    /// Applies `check` to every choice and its path.
    pub(super) fn check_choices(
        &self,
        check: &dyn Fn(&Choice, &str) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        match self {
            Algorithm::Single(choice) => check(choice, DATA),
            Algorithm::Priority(choices) => check_choices(choices.iter(), DATA, "", check),
            Algorithm::VolumeSplit(shares) => {
                let choices = shares.iter().map(|share| &share.connector);
                check_choices(choices, DATA, ".connector", check)
            }
            Algorithm::Advanced(program) => {
                program.each_selection(DATA, &|selection, path| selection.check(path, check))
            }
            Algorithm::ThreeDsDecisionRule(_) | Algorithm::Dynamic(_) => Ok(()),
        }
    }
}
