//! The document's schemas as JSON Schema, closed: an unknown member in an answer is a fault.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::document::{Operation, document};
use crate::place::{Reason, reasons_of};

const PREFIX: &str = "#/components/schemas/";

/// The longest enumeration that isn't a list of reference (currencies, countries, connectors, types).
pub const LONG_LIST: usize = 40;

/// Returns the compiled schema of an operation's answer.
pub fn answer_of(operation: &Operation) -> Arc<Validator> {
    compiled(&operation.id, &operation.answer)
}

/// Returns the compiled schema of a component.
pub fn component(name: &str) -> Arc<Validator> {
    compiled(name, &json!({ "$ref": format!("{PREFIX}{name}") }))
}

/// Returns what is wrong with the body of this operation's success.
pub fn reasons(operation: &Operation, body: &Value) -> Vec<Reason> {
    let media = operation.media_type.replace('/', "~1");
    let start = format!(
        "{}/responses/200/content/{media}/schema",
        operation.pointer()
    );
    all(&answer_of(operation), &start, body)
}

/// Returns what is wrong with a value of this component.
pub fn reasons_of_component(name: &str, body: &Value) -> Vec<Reason> {
    let start = format!("/components/schemas/{name}");
    all(&component(name), &start, body)
}

/// Returns whether the schema accepts the text of a header or a query, whatever type the text stands for.
pub fn takes_text(schema: &Value, text: &str) -> bool {
    let validator = compiled(&schema.to_string(), schema);
    let read = serde_json::from_str(text).ok();
    let as_text = Value::String(text.to_owned());
    validator.is_valid(&as_text) || read.is_some_and(|value| validator.is_valid(&value))
}

fn all(validator: &Validator, start: &str, body: &Value) -> Vec<Reason> {
    let errors = validator.iter_errors(body);
    errors.flat_map(|error| reasons_of(start, &error)).collect()
}

fn compiled(key: &str, schema: &Value) -> Arc<Validator> {
    static COMPILED: OnceLock<Mutex<HashMap<String, Arc<Validator>>>> = OnceLock::new();
    let mut known = COMPILED
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let made = known.entry(key.to_owned()).or_insert_with(|| {
        let mut definitions = Map::new();
        let mut root = convert(schema, &mut |name| whole(name, &mut definitions));
        root["$defs"] = Value::Object(definitions);
        let validator = build(&root, is_moment)
            .unwrap_or_else(|error| panic!("the schema of {key} can't be compiled: {error}"));
        Arc::new(validator)
    });
    Arc::clone(made)
}

/// Returns a reference to a component, whose definition is added if it is missing.
fn whole(name: &str, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(name) {
        // The entry comes first, so that a recursive component ends here.
        definitions.insert(name.to_owned(), Value::Bool(true));
        let schema = &document()["components"]["schemas"][name];
        let converted = convert(schema, &mut |name| whole(name, definitions));
        definitions.insert(name.to_owned(), converted);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Compiles one schema of any document alone. References only check whether null is allowed.
///
/// # Errors
/// Fails when the schema can't be compiled.
pub fn alone(document: &Value, schema: &Value) -> Result<Validator, String> {
    let refers = &mut |name: &str| match document["components"]["schemas"][name]["nullable"] == true
    {
        true => Value::Bool(true),
        false => json!({ "not": { "type": "null" } }),
    };
    // Callers may write any time of RFC 3339; the judge checks the form in answers.
    build(&convert(schema, refers), |text| {
        chrono::DateTime::parse_from_rfc3339(text).is_ok()
    })
}

fn build(root: &Value, is_moment: fn(&str) -> bool) -> Result<Validator, String> {
    jsonschema::options()
        .with_format("date-time", is_moment)
        .should_validate_formats(true)
        .build(root)
        .map_err(|error| error.to_string())
}

/// Returns whether the text has exactly the form `2026-01-05T10:11:12.345Z`.
fn is_moment(text: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd.dddZ";
    let fits = |(is, wanted): (char, char)| match wanted {
        'd' => is.is_ascii_digit(),
        other => is == other,
    };
    text.len() == form.len()
        && text.chars().zip(form.chars()).all(fits)
        && chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

/// Returns the name of the component that a schema refers to.
pub fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(PREFIX)
}

/// Returns whether the value fits a variant's tags: members with one possible word have that word.
pub fn has_tag(variant: &Value, value: &Value) -> bool {
    let members = variant["properties"].as_object().into_iter().flatten();
    let mut tags = members.filter_map(|(name, member)| {
        let words = member["enum"].as_array().filter(|words| words.len() == 1)?;
        Some((name, &words[0]))
    });
    tags.all(|(name, word)| &value[name] == word)
}

/// Converts a schema to JSON Schema; `refers` converts references to components.
fn convert(schema: &Value, refers: &mut dyn FnMut(&str) -> Value) -> Value {
    if let Some(name) = referred(schema) {
        return refers(name);
    }
    let mut output = Map::new();
    for (word, value) in schema.as_object().into_iter().flatten() {
        let value = match word.as_str() {
            "properties" => {
                let members = value.as_object().into_iter().flatten();
                members
                    .map(|(name, member)| (name.clone(), convert(member, refers)))
                    .collect()
            }
            "items" | "additionalProperties" if value.is_object() => convert(value, refers),
            "allOf" | "anyOf" | "oneOf" => value
                .as_array()
                .into_iter()
                .flatten()
                .map(|one| convert(one, refers))
                .collect(),
            "format" if value != "date-time" => continue,
            "type"
            | "enum"
            | "required"
            | "additionalProperties"
            | "pattern"
            | "format"
            | "minLength"
            | "maxLength"
            | "minimum"
            | "maximum"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minProperties"
            | "maxProperties" => value.clone(),
            _ => continue,
        };
        output.insert(word.clone(), value);
    }
    if output.contains_key("properties") {
        output
            .entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    match schema["format"].as_str() {
        Some("int32") => bound(&mut output, i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => bound(&mut output, i64::MIN, i64::MAX),
        Some(_) | None => {}
    }
    if schema["nullable"] == true {
        nullable(output)
    } else {
        Value::Object(output)
    }
}

fn bound(output: &mut Map<String, Value>, lowest: i64, highest: i64) {
    output.entry("minimum").or_insert(lowest.into());
    output.entry("maximum").or_insert(highest.into());
}

fn nullable(mut schema: Map<String, Value>) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    match schema.get_mut("type") {
        Some(kind) => {
            *kind = json!([kind.take(), "null"]);
            Value::Object(schema)
        }
        None => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
