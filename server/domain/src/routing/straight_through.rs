//! Routing that a request brings along: it wins over what the profile would do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::ConnectorAccountId;
use crate::refusal::Refusal;

/// `routing` of a request, or its older form, the list `connector`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum StraightThrough {
    Single(Choice),
    /// The first that is eligible.
    Priority(Vec<Choice>),
    /// One by chance, in the given shares.
    VolumeSplit(Vec<Share>),
}

/// A connector, and which account of it where there are several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub connector: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merchant_connector_id: Option<ConnectorAccountId>,
}

/// A connector and its share; shares count relative to their sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub connector: Choice,
    pub split: u32,
}

impl StraightThrough {
    /// Reads `{type, data}`.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] when `data` is not what `type` wants.
    pub fn parse(value: Value) -> Result<Self, Refusal> {
        let routing: StraightThrough = serde_json::from_value(value).map_err(|why| {
            Refusal::invalid_value(format!("routing is not a straight-through routing: {why}"))
        })?;
        match &routing {
            StraightThrough::Single(_) => {}
            StraightThrough::Priority(choices) if choices.is_empty() => {
                return Err(Refusal::invalid_value("routing.data names no connector"));
            }
            StraightThrough::Priority(_) => {}
            StraightThrough::VolumeSplit(shares) => {
                if shares.iter().map(|s| u64::from(s.split)).sum::<u64>() == 0 {
                    return Err(Refusal::invalid_value(
                        "the splits of routing.data add up to 0",
                    ));
                }
            }
        }
        Ok(routing)
    }

    /// The older form: connector names in order of preference.
    pub fn from_names(names: Vec<String>) -> Option<Self> {
        let choices: Vec<Choice> = names
            .into_iter()
            .map(|connector| Choice {
                connector,
                merchant_connector_id: None,
            })
            .collect();
        (!choices.is_empty()).then_some(StraightThrough::Priority(choices))
    }

    /// The choices in the order in which they are tried; `draw` is the chance of a split.
    pub(crate) fn in_order(&self, draw: u32) -> Vec<&Choice> {
        match self {
            StraightThrough::Single(choice) => vec![choice],
            StraightThrough::Priority(choices) => choices.iter().collect(),
            StraightThrough::VolumeSplit(shares) => {
                let drawn = drawn(shares, draw);
                let (first, others): (Vec<_>, Vec<_>) =
                    shares.iter().enumerate().partition(|(i, _)| *i == drawn);
                let order = first.into_iter().chain(others);
                order.map(|(_, share)| &share.connector).collect()
            }
        }
    }
}

/// The place of the share that the draw falls on.
fn drawn(shares: &[Share], draw: u32) -> usize {
    let sum: u64 = shares.iter().map(|share| u64::from(share.split)).sum();
    let mut point = u64::from(draw) % sum.max(1);
    for (i, share) in shares.iter().enumerate() {
        let split = u64::from(share.split);
        if point < split {
            return i;
        }
        point -= split;
    }
    0
}
