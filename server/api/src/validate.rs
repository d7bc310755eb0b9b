//! Values against the document's schemas, and violations as errors that name the member.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::ApiError;
use crate::schema::{self, Nulls, document};

/// Where a value came from; it decides how a violation is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A path parameter.
    Path,
    /// A query parameter.
    Query,
    /// The body.
    Body,
}

/// A schema of the document, compiled.
#[derive(Debug)]
pub struct Checker {
    schema: Value,
    validator: Validator,
    location: Location,
}

impl Checker {
    /// Compiles a schema in the document's own form.
    ///
    /// # Panics
    /// The schema can't be compiled; a test compiles all of them.
    pub fn new(schema: Value, location: Location) -> Self {
        let validator = jsonschema::options()
            .with_format("date-time", |text: &str| {
                chrono::DateTime::parse_from_rfc3339(text).is_ok()
            })
            .should_validate_formats(true)
            .build(&schema::to_json_schema(&schema, Nulls::Dropped))
            .expect("the schemas of the document compile");
        Self {
            schema,
            validator,
            location,
        }
    }

    /// The schema in the document's own form.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Prepares a value (see [`schema::prepare`]) and judges it.
    ///
    /// # Errors
    /// The first violation in the order of the document. The message names the member by its full path and never
    /// repeats a value.
    pub fn check(&self, value: &mut Value) -> Result<(), ApiError> {
        schema::prepare(value, &self.schema);
        if self.validator.is_valid(value) {
            return Ok(());
        }
        let first = self
            .validator
            .iter_errors(value)
            .map(Violation::new)
            .min_by_key(|violation| self.rank(&violation.steps))
            .map(|violation| violation.answer(self.location));
        Err(first.unwrap_or_else(|| {
            ApiError::unreadable("The request doesn't have the form that the document asks for.")
        }))
    }

    /// Position of a member in the document: for each step its index among its siblings.
    fn rank(&self, steps: &[Step]) -> Vec<usize> {
        let mut schema = &self.schema;
        let mut rank = Vec::with_capacity(steps.len());
        for step in steps {
            schema = schema::resolve(schema);
            match step {
                Step::Member(name) => {
                    let members = schema["properties"].as_object();
                    let place =
                        members.and_then(|members| members.keys().position(|known| known == name));
                    rank.push(place.unwrap_or(usize::MAX));
                    schema = schema["properties"]
                        .get(name)
                        .unwrap_or(&schema["additionalProperties"]);
                }
                Step::Item(index) => {
                    rank.push(*index);
                    schema = &schema["items"];
                }
            }
        }
        rank
    }
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

#[derive(Debug)]
struct Violation {
    steps: Vec<Step>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A member is missing.
    Missing,
    /// A member that isn't allowed.
    Unexpected,
    /// The form of one value: too long, too short, another pattern.
    Format(String),
    /// Anything else, as "must be …".
    Value(String),
}

impl Violation {
    fn new(error: ValidationError<'_>) -> Self {
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
                Kind::Unexpected
            }
            ValidationErrorKind::MaxLength { limit } => {
                Kind::Format(format!("at most {limit} characters long"))
            }
            ValidationErrorKind::MinLength { limit: 1 } => Kind::Format("not empty".to_owned()),
            ValidationErrorKind::MinLength { limit } => {
                Kind::Format(format!("at least {limit} characters long"))
            }
            ValidationErrorKind::Pattern { .. } => {
                Kind::Format("of the form that the document describes".to_owned())
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
            ValidationErrorKind::Type { kind } => Kind::Value(a_type(kind)),
            ValidationErrorKind::Format { .. } => {
                Kind::Value("a date-time of RFC 3339, such as 2026-01-05T10:11:12.345Z".to_owned())
            }
            ValidationErrorKind::UniqueItems => {
                Kind::Value("a list without repetitions".to_owned())
            }
            // Keywords that the dialect doesn't allow in requests.
            _ => Kind::Value("of the form that the document describes".to_owned()),
        };
        Self { steps, kind }
    }

    fn answer(&self, location: Location) -> ApiError {
        let path = full_path(&self.steps);
        let subject = match location {
            Location::Path => format!("The path parameter `{path}`"),
            Location::Query => format!("The query parameter `{path}`"),
            Location::Body if path.is_empty() => "The body".to_owned(),
            Location::Body => format!("`{path}`"),
        };
        match (&self.kind, location) {
            (Kind::Missing, _) => ApiError::missing(&path),
            (Kind::Unexpected, _) => {
                ApiError::unreadable(format!("{subject} isn't a member that belongs there."))
            }
            (Kind::Format(what), Location::Body) => {
                ApiError::wrong_format(format!("{subject} must be {what}."))
            }
            (Kind::Format(what) | Kind::Value(what), _) => {
                ApiError::unreadable(format!("{subject} must be {what}."))
            }
        }
    }
}

/// `order_details[0].amount`.
fn full_path(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// Short lists are told, long ones (currencies, connectors) stand in the document.
fn one_of(options: &Value) -> String {
    let words: Vec<_> = options
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if words.len() <= 12 {
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

/// The schema of a component.
pub fn component(name: &str) -> Value {
    document()["components"]["schemas"][name].clone()
}
