//! Rules about a payment: the first one that matches selects, or else the default. (Facts 10.1)
//!
//! A rule matches if one of its statements matches. A statement matches if all of its conditions hold and, if it has nested
//! statements, one of those matches. Reading a program refuses everything that an evaluation couldn't handle.

use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use multirail_sdk::charge::AuthenticationType;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::comparison::Comparison;
use super::straight_through::each;

/// The largest number of rules of a program.
pub const MOST_RULES: usize = 100;
/// The largest number of conditions in all rules together.
pub const MOST_CONDITIONS: usize = 500;
/// The deepest nesting of statements, with the outermost.
pub const DEEPEST: usize = 5;
/// The largest number of characters of a rule's name.
const LONGEST_NAME: usize = 64;

words! {
    /// The decision of a rule about 3-D Secure.
    pub enum ThreeDsDecision {
        NoThreeDs = "no_three_ds",
        ChallengeRequested = "challenge_requested",
        ChallengePreferred = "challenge_preferred",
        ExemptionForAnalysis = "three_ds_exemption_requested_tra",
        ExemptionForLowValue = "three_ds_exemption_requested_low_value",
        IssuerExemption = "issuer_three_ds_exemption_requested",
    }
}

impl ThreeDsDecision {
    /// Returns the authentication type of the decision; `None` for exemptions, which no connector can request. A preferred
    /// challenge is requested like a required one, because no connector passes on a preference.
    pub fn authentication_type(self) -> Option<AuthenticationType> {
        match self {
            ThreeDsDecision::NoThreeDs => Some(AuthenticationType::NoThreeDs),
            ThreeDsDecision::ChallengeRequested | ThreeDsDecision::ChallengePreferred => {
                Some(AuthenticationType::ThreeDs)
            }
            ThreeDsDecision::ExemptionForAnalysis
            | ThreeDsDecision::ExemptionForLowValue
            | ThreeDsDecision::IssuerExemption => None,
        }
    }
}

/// A [`ThreeDsDecision`] in its form within a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    pub decision: ThreeDsDecision,
}

/// A rule's selection, for either kind of program.
pub trait Selects: Sized {
    /// Reads a selection.
    ///
    /// # Errors
    /// A refusal that names the wrong member below `path`.
    fn parse(value: &Value, path: &str) -> Result<Self, Refusal>;
}

impl Selects for Decision {
    fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        let object = open_json::object(value, path, &["decision"])?;
        let words: Vec<&str> = ThreeDsDecision::ALL
            .iter()
            .map(|one| one.as_str())
            .collect();
        let expected = format!("one of: {}", words.join(", "));
        Ok(Decision {
            decision: open_json::required(object, "decision", path, &expected)?,
        })
    }
}

/// Rules in order, and the selection if none matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Program<S> {
    pub default_selection: S,
    pub rules: Vec<Rule<S>>,
    /// The merchant's own notes. The server doesn't read them.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule<S> {
    pub name: String,
    pub connector_selection: S,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    pub condition: Vec<Comparison>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<Statement>,
}

impl<S: Selects> Program<S> {
    /// Reads a program.
    ///
    /// # Errors
    /// A refusal that names the member: it is wrong, can't be evaluated, or is out of bounds.
    pub fn parse(value: &Value, path: &str) -> Result<Self, Refusal> {
        const KNOWN: [&str; 3] = ["defaultSelection", "rules", "metadata"];
        let object = open_json::object(value, path, &KNOWN)?;
        let default = format!("{path}.defaultSelection");
        let given = object.get("defaultSelection").filter(|one| !one.is_null());
        let given = given.ok_or_else(|| Refusal::missing(default.clone()))?;
        let default_selection = S::parse(given, &default)?;
        let here = format!("{path}.rules");
        let rules = object.get("rules").filter(|rules| !rules.is_null());
        let rules = rules.ok_or_else(|| Refusal::missing(here.clone()))?;
        at_most(rules, &here, MOST_RULES)?;
        let mut conditions = 0;
        let rules = each(rules, &here, |rule, here| {
            Rule::parse(rule, here, &mut conditions)
        })?;
        for (place, rule) in rules.iter().enumerate() {
            if rules[..place].iter().any(|other| other.name == rule.name) {
                return Err(Refusal::invalid_value(format!(
                    "{here}[{place}].name is the name of a rule before it"
                )));
            }
        }
        Ok(Program {
            default_selection,
            rules,
            metadata: notes(object, path)?,
        })
    }
}

impl<S> Program<S> {
    /// Passes every selection and its path to `look`.
    pub(super) fn each_selection(
        &self,
        path: &str,
        look: &dyn Fn(&S, &str) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        look(&self.default_selection, &format!("{path}.defaultSelection"))?;
        for (place, rule) in self.rules.iter().enumerate() {
            let here = format!("{path}.rules[{place}].connectorSelection");
            look(&rule.connector_selection, &here)?;
        }
        Ok(())
    }
}

impl<S: Selects> Rule<S> {
    fn parse(value: &Value, path: &str, conditions: &mut usize) -> Result<Self, Refusal> {
        const KNOWN: [&str; 3] = ["name", "connectorSelection", "statements"];
        let object = open_json::object(value, path, &KNOWN)?;
        let name: String = open_json::required(object, "name", path, "a text")?;
        let name = name.trim().to_owned();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(Refusal::invalid_value(format!(
                "{path}.name has to have 1 to {LONGEST_NAME} characters"
            )));
        }
        let here = format!("{path}.connectorSelection");
        let selection = object
            .get("connectorSelection")
            .filter(|one| !one.is_null());
        let selection = selection.ok_or_else(|| Refusal::missing(here.clone()))?;
        let connector_selection = S::parse(selection, &here)?;
        let here = format!("{path}.statements");
        let statements = object.get("statements").filter(|one| !one.is_null());
        let statements = statements.ok_or_else(|| Refusal::missing(here.clone()))?;
        let statements = each(statements, &here, |one, here| {
            Statement::parse(one, here, 1, conditions)
        })?;
        if statements.is_empty() {
            return Err(Refusal::invalid_value(format!(
                "{here} is empty: the rule would never match"
            )));
        }
        Ok(Rule {
            name,
            connector_selection,
            statements,
        })
    }
}

impl Statement {
    fn parse(
        value: &Value,
        path: &str,
        depth: usize,
        conditions: &mut usize,
    ) -> Result<Self, Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::invalid_value(format!(
                "{path} is nested deeper than {DEEPEST} statements"
            )));
        }
        let object = open_json::object(value, path, &["condition", "nested"])?;
        let here = format!("{path}.condition");
        let condition = object.get("condition").filter(|one| !one.is_null());
        let condition = condition.ok_or_else(|| Refusal::missing(here.clone()))?;
        let condition = each(condition, &here, |one, here| {
            *conditions += 1;
            if *conditions > MOST_CONDITIONS {
                return Err(Refusal::invalid_value(format!(
                    "{here} is more than the {MOST_CONDITIONS} conditions that all rules together may have"
                )));
            }
            Comparison::parse(one, here)
        })?;
        if condition.is_empty() {
            return Err(Refusal::invalid_value(format!("{here} is empty")));
        }
        let nested = match object.get("nested").filter(|one| !one.is_null()) {
            None => Vec::new(),
            Some(nested) => {
                let here = format!("{path}.nested");
                each(nested, &here, |one, here| {
                    Statement::parse(one, here, depth + 1, conditions)
                })?
            }
        };
        Ok(Statement { condition, nested })
    }
}

/// Reads `metadata`: the merchant's own notes, limited in number.
pub(super) fn notes(
    object: &Map<String, Value>,
    path: &str,
) -> Result<Map<String, Value>, Refusal> {
    let notes: Option<Map<String, Value>> =
        open_json::member(object, "metadata", path, "an object")?;
    let notes = notes.unwrap_or_default();
    if notes.len() > 50 {
        return Err(Refusal::invalid_value(format!(
            "{path}.metadata has more than 50 keys"
        )));
    }
    Ok(notes)
}

pub(super) fn at_most(list: &Value, path: &str, most: usize) -> Result<(), Refusal> {
    match list.as_array().is_some_and(|list| list.len() > most) {
        true => Err(Refusal::invalid_value(format!(
            "{path} has more than {most} entries"
        ))),
        false => Ok(()),
    }
}
