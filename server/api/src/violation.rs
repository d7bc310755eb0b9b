//! Violations of a schema, as errors that name the member.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::ApiError;

/// The source of a value. It decides how a violation is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A path parameter.
    Path,
    /// A query parameter.
    Query,
    /// The body.
    Body,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Member(String),
    Item(usize),
}

#[derive(Debug)]
pub struct Violation {
    /// The path of the value.
    pub steps: Vec<Step>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A member is missing.
    Missing,
    /// A member that the document lacks, with the member that was probably meant.
    Unexpected(Option<String>),
    /// The form of one value: too long, too short, another pattern.
    Format(String),
    /// Any other violation, as "must be …".
    Value(String),
}

impl Violation {
    /// Returns the violation that the validator found.
    pub fn new(error: ValidationError<'_>) -> Self {
        let mut steps: Vec<Step> = error
            .instance_path()
            .into_iter()
            .map(|segment| match segment {
                jsonschema::paths::LocationSegment::Property(name) => {
                    Step::Member(name.into_owned())
                }
                jsonschema::paths::LocationSegment::Index(index) => Step::Item(index),
            })
            .collect();
        let kind = match error.kind() {
            ValidationErrorKind::Required { property } => {
                steps.push(Step::Member(
                    property.as_str().unwrap_or_default().to_owned(),
                ));
                Kind::Missing
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                steps.extend(unexpected.first().map(|name| Step::Member(name.clone())));
                Kind::Unexpected(None)
            }
            ValidationErrorKind::MaxLength { limit } => {
                Kind::Format(format!("at most {limit} characters long"))
            }
            ValidationErrorKind::MinLength { limit: 1 } => Kind::Format("not empty".to_owned()),
            ValidationErrorKind::MinLength { limit } => {
                Kind::Format(format!("at least {limit} characters long"))
            }
            ValidationErrorKind::Pattern { pattern } => {
                Kind::Format(format!("of the form `{pattern}`"))
            }
            ValidationErrorKind::MaxProperties { limit } => {
                Kind::Format(format!("an object of at most {limit} members"))
            }
            ValidationErrorKind::MinProperties { limit } => {
                Kind::Format(format!("an object of at least {limit} members"))
            }
            ValidationErrorKind::MaxItems { limit } => {
                Kind::Format(format!("a list of at most {limit} entries"))
            }
            ValidationErrorKind::MinItems { limit } => {
                Kind::Format(format!("a list of at least {limit} entries"))
            }
            ValidationErrorKind::Minimum { limit } => Kind::Value(format!("at least {limit}")),
            ValidationErrorKind::Maximum { limit } => Kind::Value(format!("at most {limit}")),
            ValidationErrorKind::Enum { options } => Kind::Value(one_of(options)),
            ValidationErrorKind::Type { kind } => {
                let is_whole = matches!(kind, TypeKind::Single(JsonType::Integer))
                    && error
                        .instance()
                        .as_f64()
                        .is_some_and(|float| float.fract() == 0.0);
                let how = if is_whole {
                    ", written in digits alone"
                } else {
                    ""
                };
                Kind::Value(format!("{}{how}", a_type(kind)))
            }
            ValidationErrorKind::Format { .. } => {
                Kind::Value("a date-time of RFC 3339, such as 2026-01-05T10:11:12.345Z".to_owned())
            }
            ValidationErrorKind::UniqueItems => {
                Kind::Value("a list without repetitions".to_owned())
            }
            // Keywords that the document's dialect doesn't allow in requests.
            _ => Kind::Value("of the form that the document describes".to_owned()),
        };
        Self { steps, kind }
    }

    /// Returns the unknown name of a violation.
    pub fn unexpected(&self) -> Option<&str> {
        match (&self.kind, self.steps.last()) {
            (Kind::Unexpected(_), Some(Step::Member(name))) => Some(name),
            _ => None,
        }
    }

    /// Adds the member that was probably meant.
    pub fn meaning(mut self, name: Option<String>) -> Self {
        if let Kind::Unexpected(meant) = &mut self.kind {
            *meant = name;
        }
        self
    }

    /// Returns the error for the caller.
    pub fn answer(&self, location: Location) -> ApiError {
        let path = full_path(&self.steps);
        let subject = match location {
            Location::Path => format!("The path parameter `{path}`"),
            Location::Query => format!("The query parameter `{path}`"),
            Location::Body if path.is_empty() => "The body".to_owned(),
            Location::Body => format!("`{path}`"),
        };
        match (&self.kind, location) {
            (Kind::Missing, _) => ApiError::missing(&path),
            (Kind::Unexpected(None), _) => {
                ApiError::unreadable(format!("{subject} is not a known member here."))
            }
            (Kind::Unexpected(Some(meant)), _) => ApiError::unreadable(format!(
                "{subject} is not a known member here. Was `{meant}` meant?"
            )),
            (Kind::Format(what), Location::Body) => {
                ApiError::wrong_format(format!("{subject} must be {what}."))
            }
            (Kind::Format(what) | Kind::Value(what), _) => {
                ApiError::unreadable(format!("{subject} must be {what}."))
            }
        }
    }
}

/// Returns a path such as `order_details[0].amount`.
pub fn full_path(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&shown(name));
            }
            Step::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// Returns a name in a form that answers and logs may show. Callers can send any text as a name: it is shortened, and
/// texts like card numbers are masked. Backticks are replaced, so that those around the name show where it ends.
pub fn shown(name: &str) -> String {
    const LONGEST: usize = 64;
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let hidden = |letter: char| match letter {
        '0'..='9' if digits >= 12 => '*',
        letter if letter.is_control() || letter == '`' => '?',
        letter => letter,
    };
    let mut shown: String = name.chars().take(LONGEST).map(hidden).collect();
    if name.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Lists the options of a short list. Long ones (currencies, connectors) are in the document.
fn one_of(options: &Value) -> String {
    let words: Vec<_> = options
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if words.len() <= 20 {
        format!("one of: {}", words.join(", "))
    } else {
        "one of the words that the document lists".to_owned()
    }
}

fn a_type(kind: &TypeKind) -> String {
    let names = |kind: &str| match kind {
        "object" => "an object",
        "array" => "a list",
        "string" => "text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        _ => "null",
    };
    match kind {
        TypeKind::Single(kind) => names(kind.as_str()).to_owned(),
        TypeKind::Multiple(kinds) => kinds
            .iter()
            .map(|kind| names(kind.as_str()))
            .filter(|name| *name != "null")
            .collect::<Vec<_>>()
            .join(" or "),
    }
}
