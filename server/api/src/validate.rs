//! Checks values against the document's schemas.

use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::ApiError;
use crate::prepare::Preparation;
use crate::schema::{self, Nulls, document};
use crate::similar_name::most_similar;
use crate::unused::Unused;
use crate::violation::{Location, Step, Violation};

/// A schema of the document, compiled.
#[derive(Debug)]
pub struct Checker {
    schema: Value,
    preparation: Preparation,
    validator: Validator,
    location: Location,
    unused: Unused,
}

impl Checker {
    /// Compiles a schema in the document's own form.
    ///
    /// # Panics
    /// When the schema can't be compiled; a test compiles all of them.
    pub fn new(schema: Value, location: Location) -> Self {
        let validator = jsonschema::options()
            // In this draft integers consist of digits only, as our types read them: `1e18` is not one.
            .with_draft(Draft::Draft4)
            .with_format("date-time", |text: &str| {
                chrono::DateTime::parse_from_rfc3339(text).is_ok()
            })
            .should_validate_formats(true)
            .build(&schema::to_json_schema(&schema, Nulls::Dropped))
            .expect("the schemas of the document compile");
        Self {
            unused: Unused::from_schema(&schema),
            preparation: Preparation::from_schema(&schema),
            schema,
            validator,
            location,
        }
    }

    /// Returns the schema in the document's own form.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Normalizes a value (see [`Preparation`]) and checks it.
    ///
    /// # Errors
    /// First an unknown member, which may be why another is missing; else the first violation in the order of the
    /// document. The message contains the member's full path and never a value.
    pub fn check(&self, value: &mut Value) -> Result<(), ApiError> {
        self.preparation.apply(value);
        if self.validator.is_valid(value) {
            return Ok(());
        }
        let first = self
            .validator
            .iter_errors(value)
            .map(Violation::new)
            .min_by_key(|violation| {
                (
                    violation.unexpected().is_none(),
                    self.rank(&violation.steps),
                )
            })
            .map(|violation| self.with_meant(violation).answer(self.location));
        Err(first.unwrap_or_else(|| {
            ApiError::unreadable("The request doesn't have the form that the document asks for.")
        }))
    }

    /// Removes unused members.
    ///
    /// # Errors
    /// 400 `IR_20` where a member asks for a capability that isn't built.
    pub fn take_out_unused(&self, value: &mut Value) -> Result<(), ApiError> {
        self.unused.take_out(value)
    }

    /// Adds the name that was probably meant to a violation by an unknown name.
    fn with_meant(&self, violation: Violation) -> Violation {
        let Some(name) = violation.unexpected() else {
            return violation;
        };
        let parents = &violation.steps[..violation.steps.len() - 1];
        let parent = parents.iter().fold(&self.schema, |schema, step| {
            let schema = schema::resolve(schema);
            match step {
                Step::Member(name) => schema["properties"]
                    .get(name)
                    .unwrap_or(&schema["additionalProperties"]),
                Step::Item(_) => &schema["items"],
            }
        });
        let known = schema::resolve(parent)["properties"].as_object();
        let known = known.into_iter().flatten().map(|(name, _)| name.as_str());
        let meant = most_similar(name, known).map(str::to_owned);
        violation.meaning(meant)
    }

    /// Returns the position of a member in the document: for each step its index among its siblings.
    fn rank(&self, steps: &[Step]) -> Vec<usize> {
        let mut schema = &self.schema;
        let mut rank = Vec::with_capacity(steps.len());
        for step in steps {
            schema = schema::resolve(schema);
            match step {
                Step::Member(name) => {
                    let members = schema["properties"].as_object();
                    let position =
                        members.and_then(|members| members.keys().position(|known| known == name));
                    rank.push(position.unwrap_or(usize::MAX));
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

/// Returns the schema of a component.
pub fn component(name: &str) -> Value {
    document()["components"]["schemas"][name].clone()
}
