//! One condition of a rule: a key of the payment, an operator, and a value.

use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::key::{Form, Key};
use super::program::{at_most, notes};
use super::straight_through::each;

/// The largest number of values in a list, and of characters in a text.
const MOST: usize = 255;

words! {
    pub enum Operator {
        Equal = "equal",
        NotEqual = "not_equal",
        LessThan = "less_than",
        LessThanEqual = "less_than_equal",
        GreaterThan = "greater_than",
        GreaterThanEqual = "greater_than_equal",
    }
}

/// The right side of a condition. With a list, `equal` holds if one value is equal, `not_equal` if none is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "value",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Operand {
    Number(i64),
    EnumVariant(String),
    MetadataVariant(MetadataEntry),
    StrValue(String),
    NumberArray(Vec<i64>),
    EnumVariantArray(Vec<String>),
    NumberComparisonArray(Vec<NumberComparison>),
}

/// An entry of the payment's `metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetadataEntry {
    pub key: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NumberComparison {
    pub comparison_type: Operator,
    pub number: i64,
}

/// A condition. A stored one with unknown members is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    pub lhs: Key,
    pub comparison: Operator,
    pub value: Operand,
    /// The merchant's own notes. The server doesn't read them.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

impl Comparison {
    /// Reads a condition.
    ///
    /// # Errors
    /// A refusal that names the member: it is wrong, or this server can't evaluate it.
    pub fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        const KNOWN: [&str; 4] = ["lhs", "comparison", "value", "metadata"];
        let object = open_json::object(value, path, &KNOWN)?;
        let lhs: String = open_json::required(object, "lhs", path, "a word")?;
        let lhs = Key::parse(&lhs, &format!("{path}.lhs"))?;
        let words: Vec<&str> = Operator::ALL.iter().map(|one| one.as_str()).collect();
        let expected = format!("one of: {}", words.join(", "));
        let comparison = open_json::required(object, "comparison", path, &expected)?;
        let here = format!("{path}.value");
        let given = object.get("value").filter(|one| !one.is_null());
        let given = given.ok_or_else(|| Refusal::missing(here.clone()))?;
        let value = Operand::parse(given, &here)?;
        let read = Comparison {
            lhs,
            comparison,
            value,
            metadata: notes(object, path)?,
        };
        read.check(path)?;
        Ok(read)
    }

    /// Checks that key, operator and value fit together.
    fn check(&self, path: &str) -> Result<(), Refusal> {
        let lhs = self.lhs;
        let fits = |wanted: &str| {
            Refusal::invalid_value(format!("{path}.value.type has to be {wanted} for {lhs}"))
        };
        let form = lhs.form();
        match (&self.value, form) {
            (Operand::Number(_), Form::Number) => return Ok(()),
            (Operand::NumberArray(_) | Operand::NumberComparisonArray(_), Form::Number)
            | (Operand::MetadataVariant(_), Form::Metadata) => {}
            (Operand::EnumVariant(word), Form::Words(is_word)) => {
                check_word(word, is_word, lhs, &format!("{path}.value.value"))?;
            }
            (Operand::EnumVariantArray(words), Form::Words(is_word)) => {
                for (place, word) in words.iter().enumerate() {
                    let here = format!("{path}.value.value[{place}]");
                    check_word(word, is_word, lhs, &here)?;
                }
            }
            (Operand::StrValue(text), Form::Text(is_text)) => {
                if !is_text(text) {
                    return Err(Refusal::invalid_value(format!(
                        "{path}.value.value is nothing that {lhs} can be"
                    )));
                }
            }
            (_, Form::Number) => {
                return Err(fits("number, number_array or number_comparison_array"));
            }
            (_, Form::Metadata) => return Err(fits("metadata_variant")),
            (_, Form::Words(_)) => return Err(fits("enum_variant or enum_variant_array")),
            (_, Form::Text(_)) => return Err(fits("str_value")),
        }
        match self.comparison {
            Operator::Equal | Operator::NotEqual => Ok(()),
            Operator::LessThan
            | Operator::LessThanEqual
            | Operator::GreaterThan
            | Operator::GreaterThanEqual => Err(Refusal::invalid_value(format!(
                "{path}.comparison has to be equal or not_equal here: there is no order"
            ))),
        }
    }
}

fn check_word(word: &str, is_word: fn(&str) -> bool, lhs: Key, path: &str) -> Result<(), Refusal> {
    match is_word(word) {
        true => Ok(()),
        false => Err(Refusal::invalid_value(format!(
            "{path} is no word of {lhs}"
        ))),
    }
}

impl Operand {
    fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["type", "value"])?;
        let kind: String = open_json::required(object, "type", path, "a word")?;
        let here = format!("{path}.value");
        let given = object.get("value").filter(|one| !one.is_null());
        let given = given.ok_or_else(|| Refusal::missing(here.clone()))?;
        Ok(match kind.as_str() {
            "number" => Operand::Number(number(given, &here)?),
            "enum_variant" => Operand::EnumVariant(text(given, &here)?),
            "metadata_variant" => {
                let entry = open_json::object(given, &here, &["key", "value"])?;
                let member = |name: &str| {
                    let path = format!("{here}.{name}");
                    let given = entry.get(name).filter(|one| !one.is_null());
                    text(given.ok_or_else(|| Refusal::missing(path.clone()))?, &path)
                };
                Operand::MetadataVariant(MetadataEntry {
                    key: member("key")?,
                    value: member("value")?,
                })
            }
            "str_value" => Operand::StrValue(text(given, &here)?),
            "number_array" => {
                check_list(given, &here)?;
                Operand::NumberArray(each(given, &here, number)?)
            }
            "enum_variant_array" => {
                check_list(given, &here)?;
                Operand::EnumVariantArray(each(given, &here, text)?)
            }
            "number_comparison_array" => {
                check_list(given, &here)?;
                Operand::NumberComparisonArray(each(given, &here, NumberComparison::parse)?)
            }
            "global_ref" => {
                return Err(Refusal::invalid_value(format!(
                    "{path}.type can't be global_ref: this server has no global values"
                )));
            }
            _ => {
                let why = "has to be one of: number, enum_variant, metadata_variant, str_value, number_array, \
                           enum_variant_array, number_comparison_array";
                return Err(open_json::malformed(&format!("{path}.type"), why));
            }
        })
    }
}

impl NumberComparison {
    fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["comparisonType", "number"])?;
        let here = format!("{path}.number");
        let given = object.get("number").filter(|one| !one.is_null());
        let words: Vec<&str> = Operator::ALL.iter().map(|one| one.as_str()).collect();
        let expected = format!("one of: {}", words.join(", "));
        Ok(NumberComparison {
            comparison_type: open_json::required(object, "comparisonType", path, &expected)?,
            number: number(given.ok_or_else(|| Refusal::missing(here.clone()))?, &here)?,
        })
    }
}

fn number(value: &Value, path: &str) -> Result<i64, Refusal> {
    let number = value.as_i64().filter(|number| *number >= 0);
    let number = number.ok_or_else(|| {
        open_json::malformed(
            path,
            "has to be a whole number, not negative, in minor units",
        )
    })?;
    match number > MAX_AMOUNT_MINOR {
        true => Err(Refusal::invalid_value(format!(
            "{path} is above {MAX_AMOUNT_MINOR}, the largest amount that is accepted"
        ))),
        false => Ok(number),
    }
}

fn text(value: &Value, path: &str) -> Result<String, Refusal> {
    let text = value.as_str();
    let text = text.ok_or_else(|| open_json::malformed(path, "has to be a text"))?;
    match text.is_empty() || text.chars().count() > MOST {
        true => Err(Refusal::invalid_value(format!(
            "{path} has to have 1 to {MOST} characters"
        ))),
        false => Ok(text.to_owned()),
    }
}

fn check_list(list: &Value, path: &str) -> Result<(), Refusal> {
    at_most(list, path, MOST)?;
    match list.as_array().is_some_and(Vec::is_empty) {
        true => Err(Refusal::invalid_value(format!("{path} is empty"))),
        false => Ok(()),
    }
}
