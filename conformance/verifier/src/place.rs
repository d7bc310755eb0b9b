//! Places in the published document, so that readers can look a fault up.

use std::fmt;
use std::sync::OnceLock;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use multirail_codegen::sources::{Lines, escape, unescape};
use serde_json::Value;

use crate::document::{self, document, target};
use crate::masks::{brief, is_secret};

/// The most characters of a fault's text, with the value.
const LONGEST: usize = 300;

/// A place of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A JSON pointer.
    pub pointer: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl Place {
    /// Returns the place of this pointer, or of the nearest node around it.
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

/// A fault of an answer, and the place that it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub what: String,
    /// `None` if the broken rule has no place of its own.
    pub place: Option<Place>,
}

impl Reason {
    /// Creates a fault without a place.
    pub fn bare(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: None,
        }
    }

    /// Creates a fault with this place.
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

/// Converts an error of the schema at `start` into faults, each with the innermost place that it breaks.
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

/// Returns the error's text without secrets, and with long values shortened.
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

/// Returns the errors of the one branch that matches the value's type; the other branches want another type.
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

/// Returns the pointer in the document for a path through the compiled schema.
fn pointer_of(start: &str, path: &str) -> String {
    let mut pointer = start.to_owned();
    let mut words = path.split('/').skip(1);
    while let Some(word) = words.next() {
        let node = document().pointer(&pointer).unwrap_or(&Value::Null);
        if word == "$ref" {
            // A component that is compiled alone has no reference to it in the document.
            if let Some(target) = target(node) {
                pointer = target.to_owned();
            }
        } else if word == "anyOf" && node.get(word).is_none() {
            // `nullable` was compiled to this, with the schema itself as the first branch.
            words.next();
        } else {
            let next = format!("{pointer}/{word}");
            if document().pointer(&next).is_none() {
                // The document has no keyword for this, such as for a closed answer.
                break;
            }
            pointer = next;
        }
    }
    pointer
}

/// Returns the last name of a pointer, as the document writes it.
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

    fn payment_reasons(change: impl FnOnce(&mut Value)) -> Vec<String> {
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
    fn a_fault_names_the_innermost_place_that_it_breaks() {
        assert_eq!(payment_reasons(|_| ()), Vec::<String>::new());
        let renamed = payment_reasons(|payment| {
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

        let wrong = payment_reasons(|payment| payment["amount"] = json!("6540"));
        let place = "/components/schemas/Payment/properties/amount";
        assert!(wrong[0].contains(place), "{wrong:#?}");
        // Through a reference that may be null.
        let wrong =
            payment_reasons(|payment| payment["billing"] = json!({ "phone": { "number": 1 } }));
        assert!(
            wrong[0].starts_with("/billing/phone/number: ") && wrong[0].contains("/number/type"),
            "{wrong:#?}"
        );
    }
}
