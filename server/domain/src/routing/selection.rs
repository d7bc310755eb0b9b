//! A rule's selection: accounts and their order.

use std::collections::BTreeSet;

use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::program::Selects;
use super::straight_through::{Choice, Share, each};

/// The largest number of choices in a list.
const MOST_CHOICES: usize = 100;

/// The largest share. (Facts 10.1)
const LARGEST_SPLIT: u32 = 255;

/// A rule's selection. A stored one with unknown members is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Selection {
    Priority(Vec<Choice>),
    VolumeSplit(Vec<Share>),
    /// The cheapest account for the payment first. Accounts of unknown cost follow in their given order.
    LeastCost(Vec<Choice>),
}

impl Selects for Selection {
    fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["type", "data"])?;
        let kind: String = open_json::required(object, "type", path, "a word")?;
        let here = format!("{path}.data");
        let data = object.get("data").filter(|data| !data.is_null());
        let data = data.ok_or_else(|| Refusal::missing(here.clone()))?;
        match kind.as_str() {
            "priority" => Ok(Selection::Priority(parse_choices(data, &here)?)),
            "volume_split" => Ok(Selection::VolumeSplit(parse_shares(data, &here)?)),
            "least_cost" => Ok(Selection::LeastCost(parse_choices(data, &here)?)),
            _ => {
                let why = "has to be one of: priority, volume_split, least_cost";
                Err(open_json::malformed(&format!("{path}.type"), why))
            }
        }
    }
}

impl Selection {
    pub(super) fn check(
        &self,
        path: &str,
        check: &dyn Fn(&Choice, &str) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let path = format!("{path}.data");
        match self {
            Selection::Priority(choices) | Selection::LeastCost(choices) => {
                check_choices(choices.iter(), &path, "", check)
            }
            Selection::VolumeSplit(shares) => {
                let choices = shares.iter().map(|share| &share.connector);
                check_choices(choices, &path, ".connector", check)
            }
        }
    }
}

/// Reads a list of choices: not empty, not too long, and without duplicates.
pub(super) fn parse_choices(data: &Value, path: &str) -> Result<Vec<Choice>, Refusal> {
    check_length(data, path)?;
    let choices = each(data, path, Choice::parse)?;
    check_distinct(choices.iter(), path)?;
    Ok(choices)
}

/// Reads a list of shares, of which at least one is above 0.
pub(super) fn parse_shares(data: &Value, path: &str) -> Result<Vec<Share>, Refusal> {
    check_length(data, path)?;
    let shares = each(data, path, |entry, here| {
        let share = Share::parse(entry, here)?;
        if share.split > LARGEST_SPLIT {
            return Err(Refusal::invalid_value(format!(
                "{here}.split is above {LARGEST_SPLIT}"
            )));
        }
        Ok(share)
    })?;
    check_distinct(shares.iter().map(|share| &share.connector), path)?;
    if shares.iter().all(|share| share.split == 0) {
        return Err(Refusal::invalid_value(format!(
            "the splits of {path} add up to 0"
        )));
    }
    Ok(shares)
}

pub(super) fn check_choices<'a>(
    choices: impl Iterator<Item = &'a Choice>,
    path: &str,
    below: &str,
    check: &dyn Fn(&Choice, &str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for (place, choice) in choices.enumerate() {
        check(choice, &format!("{path}[{place}]{below}"))?;
    }
    Ok(())
}

fn check_length(data: &Value, path: &str) -> Result<(), Refusal> {
    match data.as_array().map_or(1, Vec::len) {
        0 => Err(Refusal::invalid_value(format!("{path} names no connector"))),
        length if length > MOST_CHOICES => Err(Refusal::invalid_value(format!(
            "{path} has more than {MOST_CHOICES} entries"
        ))),
        _ => Ok(()),
    }
}

fn check_distinct<'a>(
    choices: impl Iterator<Item = &'a Choice>,
    path: &str,
) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for (place, choice) in choices.enumerate() {
        let id = choice.merchant_connector_id.as_ref();
        if !seen.insert((choice.connector.as_str(), id.map(|id| id.as_str()))) {
            return Err(Refusal::invalid_value(format!(
                "{path}[{place}] names what stands before it already"
            )));
        }
    }
    Ok(())
}
