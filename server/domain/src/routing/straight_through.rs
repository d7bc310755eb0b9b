//! Routing that a request names. It takes precedence over the profile's routing.

use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::selection::{parse_choices, parse_shares};

words! {
    /// The kind of routing that a request names.
    pub enum StraightThroughKind {
        Single = "single",
        Priority = "priority",
        VolumeSplit = "volume_split",
    }
}

/// A request's `routing`, or its older form, the list `connector`. A stored one with unknown members is refused, because the
/// known ones alone could choose an excluded account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum StraightThrough {
    Single(Choice),
    /// The first eligible account of a list.
    Priority(Vec<Choice>),
    /// One account at random, by these shares.
    VolumeSplit(Vec<Share>),
}

/// A connector, and one of its accounts if there are several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub connector: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merchant_connector_id: Option<ConnectorAccountId>,
}

/// A connector and its share. Shares count relative to their sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub connector: Choice,
    pub split: u32,
}

impl StraightThrough {
    /// Reads `{type, data}`.
    ///
    /// # Errors
    /// A refusal that names the member that doesn't fit `type`.
    pub fn parse(value: &Value) -> Result<Self, Refusal> {
        let object = open_json::object(value, "routing", &["type", "data"])?;
        let kind: String = open_json::required(object, "type", "routing", "a word")?;
        let kind = kind.parse::<StraightThroughKind>().map_err(|_| {
            let why = "has to be one of: single, priority, volume_split";
            open_json::malformed("routing.type", why)
        })?;
        StraightThrough::read(kind, object.get("data").unwrap_or(&Value::Null))
    }

    /// Reads the `data` of this kind.
    ///
    /// # Errors
    /// As for [`StraightThrough::parse`].
    pub fn read(kind: StraightThroughKind, data: &Value) -> Result<Self, Refusal> {
        const DATA: &str = "routing.data";
        if data.is_null() {
            return Err(Refusal::missing(DATA));
        }
        Ok(match kind {
            StraightThroughKind::Single => StraightThrough::Single(Choice::parse(data, DATA)?),
            StraightThroughKind::Priority => StraightThrough::Priority(parse_choices(data, DATA)?),
            StraightThroughKind::VolumeSplit => {
                StraightThrough::VolumeSplit(parse_shares(data, DATA)?)
            }
        })
    }

    /// Reads the older form: names of connectors in order of preference.
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
}

impl Choice {
    pub(super) fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["connector", "merchant_connector_id"])?;
        Ok(Self {
            connector: open_json::required(object, "connector", path, "the name of a connector")?,
            merchant_connector_id: open_json::member(
                object,
                "merchant_connector_id",
                path,
                "the identifier of a connector account",
            )?,
        })
    }
}

impl Share {
    pub(super) fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["connector", "split"])?;
        let here = format!("{path}.connector");
        let connector = object.get("connector").filter(|choice| !choice.is_null());
        let connector = connector.ok_or_else(|| Refusal::missing(here.clone()))?;
        Ok(Self {
            connector: Choice::parse(connector, &here)?,
            split: open_json::required(object, "split", path, "a whole number, not negative")?,
        })
    }
}

/// Reads every entry of the list at a path.
pub(super) fn each<T>(
    list: &Value,
    path: &str,
    mut read: impl FnMut(&Value, &str) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let Value::Array(entries) = list else {
        return Err(open_json::malformed(path, "has to be a list"));
    };
    let entries = entries.iter().enumerate();
    entries
        .map(|(place, entry)| read(entry, &format!("{path}[{place}]")))
        .collect()
}
