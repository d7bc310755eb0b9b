//! Where in the published document something stands, so that a fault can be looked up.

use std::fmt;
use std::sync::OnceLock;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use multirail_codegen::sources::{Lines, escape, unescape};
use serde_json::Value;

use crate::document::{self, document, target};
use crate::masks::{brief, is_secret};

/// The longest that a fault is told with the value that is at fault.
const LONGEST: usize = 300;

/// A place of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A JSON pointer.
    pub pointer: String,
    /// Counted from 1.
    pub line: usize,
}

impl Place {
    /// The place of this pointer, or of what is around it.
    pub fn at(pointer: &str) -> Self {
        Self {
            pointer: pointer.to_owned(),
            line: lines().at(pointer),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = document::name();
        write!(f, "{name}:{} #{}", self.line, self.pointer)
    }
}

/// What is wrong with an answer, and what it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub what: String,
    /// `None` where the fault breaks a rule that has no place of its own.
    pub place: Option<Place>,
}

impl Reason {
    /// A fault against the document as a whole.
    pub fn bare(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: None,
        }
    }

    /// A fault against this place.
    pub fn at(pointer: &str, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: Some(Place::at(pointer)),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} ({place})", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What an error of the schema at `start` of the document says, with the innermost place that it breaks.
pub fn reasons_of(start: &str, error: &ValidationError<'_>) -> Vec<Reason> {
    if let Some(inner) = only_branch(error) {
        let all = inner.iter().flat_map(|one| reasons_of(start, one));
        return all.collect();
    }
    let mut pointer = pointer_of(start, error.evaluation_path().as_str());
    if let ValidationErrorKind::Required { property } = error.kind() {
        let schema = pointer.strip_suffix("/required").unwrap_or(&pointer);
        let name = escape(property.as_str().unwrap_or_default());
        pointer = format!("{schema}/properties/{name}");
    }
    let at = match error.instance_path().as_str() {
        "" => "the body",
        inside => inside,
    };
    let mut what = shown(error);
    if what.chars().count() > LONGEST {
        what = what.chars().take(LONGEST).chain("...".chars()).collect();
    }
    vec![Reason::at(&pointer, format!("{at}: {what}"))]
}

/// The error in words, without what is secret and without what a long answer says beside it.
fn shown(error: &ValidationError<'_>) -> String {
    let (text, instance) = (error.to_string(), error.instance());
    let name = last_name(error.instance_path().as_str());
    let stands = match instance.as_ref() {
        Value::Null => return text,
        Value::String(_) if is_secret(&name) => "a secret".to_owned(),
        other => brief(other),
    };
    text.replace(&instance.to_string(), &stands)
}

/// The errors of the one branch that the value was meant for: the others want another type of it.
fn only_branch<'e>(error: &'e ValidationError<'_>) -> Option<&'e [ValidationError<'static>]> {
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) =
        error.kind()
    else {
        return None;
    };
    let is_of_another_type = |branch: &&Vec<ValidationError<'static>>| {
        branch.iter().any(|one| {
            matches!(
                one.kind(),
                ValidationErrorKind::Type { .. } | ValidationErrorKind::Enum { .. }
            ) && one.instance_path() == error.instance_path()
        })
    };
    let mut meant = context.iter().filter(|branch| !is_of_another_type(branch));
    let only = meant.next()?;
    meant.next().is_none().then_some(only)
}

/// The pointer in the document for a path through the schema that was made of it.
fn pointer_of(start: &str, path: &str) -> String {
    let mut pointer = start.to_owned();
    let mut words = path.split('/').skip(1);
    while let Some(word) = words.next() {
        let node = document().pointer(&pointer).unwrap_or(&Value::Null);
        if word == "$ref" {
            // A component that is looked at by itself is referred to by nothing of the document.
            if let Some(target) = target(node) {
                pointer = target.to_owned();
            }
        } else if word == "anyOf" && node.get(word).is_none() {
            // What `nullable` was made into, with the schema itself as its first branch.
            words.next();
        } else {
            let next = format!("{pointer}/{word}");
            if document().pointer(&next).is_none() {
                // Nothing that the document says in a word of its own, such as that an answer is closed.
                break;
            }
            pointer = next;
        }
    }
    pointer
}

/// The last name of a pointer, as it is written in the document.
pub fn last_name(pointer: &str) -> String {
    unescape(pointer.rsplit('/').next().unwrap_or_default())
}

fn lines() -> &'static Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    LINES.get_or_init(|| Lines::parse(document::text()).expect("the document is YAML"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::{YAML, operation};
    use crate::schema;

    fn of_payment(change: impl FnOnce(&mut Value)) -> Vec<String> {
        let example = &document()["components"]["examples"]["PaymentRequiresCapture"]["value"];
        let mut payment = example.clone();
        change(&mut payment);
        let operation = operation("payments_retrieve");
        let reasons = schema::reasons(operation, &payment);
        let told = reasons.iter().map(|reason| {
            let place = reason.place.as_ref().expect("a place");
            let line = YAML.lines().nth(place.line - 1).unwrap_or_default().trim();
            format!("{} | {} | {line}", reason.what, place.pointer)
        });
        told.collect()
    }

    #[test]
    fn a_fault_is_told_with_the_innermost_place_that_it_breaks() {
        assert_eq!(of_payment(|_| ()), Vec::<String>::new());
        let renamed = of_payment(|payment| {
            let members = payment.as_object_mut().expect("an object");
            let net = members.shift_remove("net_amount").expect("it is there");
            members.insert("netto".to_owned(), net);
        });
        let place = "/components/schemas/Payment/properties/net_amount";
        let missing =
            format!("the body: \"net_amount\" is a required property | {place} | net_amount:");
        assert!(renamed.contains(&missing), "{renamed:#?}");
        assert!(
            renamed.iter().any(|one| one.contains("('netto' was")),
            "{renamed:#?}"
        );

        let wrong = of_payment(|payment| payment["amount"] = json!("6540"));
        let place = "/components/schemas/Payment/properties/amount";
        assert!(wrong[0].contains(place), "{wrong:#?}");
        // Through a reference that may be null.
        let wrong = of_payment(|payment| payment["billing"] = json!({ "phone": { "number": 1 } }));
        assert!(
            wrong[0].starts_with("/billing/phone/number: ") && wrong[0].contains("/number/type"),
            "{wrong:#?}"
        );
    }
}
