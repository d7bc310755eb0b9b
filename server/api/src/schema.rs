//! Schemas of the document: following references, and conversion to JSON Schema.
//!
//! The document is OpenAPI 3.0. The conversion covers its differences from JSON Schema: `nullable`, and the integer
//! formats, which become bounds.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::Op;

/// Returns the document, parsed once, without descriptions and examples: with them its text is twice as long.
pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(&crate::published::rules_json())
            .expect("the build writes the document as JSON")
    });
    &DOCUMENT
}

/// Returns whether a member of this name is secret somewhere in the document: a card number, an account number, a key.
pub fn is_secret(name: &str) -> bool {
    static NAMES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
        let mut names = BTreeSet::new();
        gather_secrets(document(), &mut names);
        names
    });
    NAMES.contains(name)
}

fn gather_secrets(part: &'static Value, names: &mut BTreeSet<&'static str>) {
    match part {
        Value::Object(members) => {
            let properties = members.get("properties").and_then(Value::as_object);
            let secret = properties
                .into_iter()
                .flatten()
                .filter(|(_, schema)| schema["format"] == "secret");
            names.extend(secret.map(|(name, _)| name.as_str()));
            members
                .values()
                .for_each(|part| gather_secrets(part, names));
        }
        Value::Array(parts) => parts.iter().for_each(|part| gather_secrets(part, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

const PREFIX: &str = "#/components/schemas/";

/// Follows `$ref`, `allOf: [$ref]` and `anyOf: [$ref, NoValue]` inside the document.
pub fn resolve(schema: &Value) -> &Value {
    match reference(schema).and_then(find) {
        Some(target) => resolve(target),
        None => schema,
    }
}

/// Returns the reference of a schema.
fn reference(schema: &Value) -> Option<&str> {
    let words = schema.as_object()?;
    words
        .iter()
        .find_map(|(word, value)| match (word.as_str(), value) {
            ("$ref", Value::String(target)) => Some(target.as_str()),
            ("allOf", Value::Array(parts)) if parts.len() == 1 => reference(&parts[0]),
            ("anyOf", Value::Array(parts)) if parts.len() == 2 => reference(&parts[0]),
            _ => None,
        })
}

/// Returns the reference in `anyOf: [$ref, NoValue]`, the document's form for a reference that may be null.
fn or_no_value(schema: &Value) -> Option<&Value> {
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, _]) => Some(one),
        _ => None,
    }
}

/// Returns the part of the document that `#/...` names.
fn find(target: &str) -> Option<&'static Value> {
    static SCHEMAS: LazyLock<&Value> = LazyLock::new(|| &document()["components"]["schemas"]);
    match target.strip_prefix(PREFIX) {
        // By far the most frequent case; a JSON pointer copies every step of its path.
        Some(name) => SCHEMAS.get(name),
        None => document().pointer(target.strip_prefix('#')?),
    }
}

/// Returns the words of an enumeration.
pub fn words(schema: &Value) -> impl Iterator<Item = &str> {
    schema["enum"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The treatment of `nullable` members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// As in the document, for answers.
    Kept,
    /// Without null, for requests: [`Preparation`](crate::prepare::Preparation) has removed nulls. So a violation
    /// inside such a member keeps its path, where "this or null" would only report that neither fits.
    Dropped,
}

/// Converts a schema to JSON Schema, with every component that it reaches under `$defs`.
pub fn to_json_schema(schema: &Value, nulls: Nulls) -> Value {
    let mut definitions = Map::new();
    let mut root = convert(schema, nulls, &mut definitions);
    if let Some(root) = root.as_object_mut() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// Returns the JSON Schema of an operation's 200 answer, for checks of raw answers; `None` for plain text.
pub fn answer_schema(op: Op) -> Option<Value> {
    let info = op.info();
    let operation = &document()["paths"][info.path][info.method.as_str().to_ascii_lowercase()];
    let media = resolve(&operation["responses"]["200"])["content"].get("application/json")?;
    Some(to_json_schema(&media["schema"], Nulls::Kept))
}

/// Returns the JSON Schema of every error.
pub fn error_schema() -> Value {
    to_json_schema(
        &document()["components"]["schemas"]["ErrorBody"],
        Nulls::Kept,
    )
}

fn convert(schema: &Value, nulls: Nulls, definitions: &mut Map<String, Value>) -> Value {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix(PREFIX))
    {
        if !definitions.contains_key(name) {
            // The entry is added first, so that a recursive component ends here.
            definitions.insert(name.to_owned(), Value::Bool(true));
            let definition = convert(
                &document()["components"]["schemas"][name],
                nulls,
                definitions,
            );
            definitions.insert(name.to_owned(), definition);
        }
        return json!({ "$ref": format!("#/$defs/{name}") });
    }
    let mut output = Map::new();
    for (word, value) in schema.as_object().into_iter().flatten() {
        let value = match word.as_str() {
            word if nulls == Nulls::Dropped && is_judged_by_rules(schema, word) => continue,
            "properties" => value
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, member)| (name.clone(), member_schema(member, nulls, definitions)))
                .collect(),
            "items" | "additionalProperties" if value.is_object() => {
                convert(value, nulls, definitions)
            }
            "allOf" | "anyOf" | "oneOf" => value
                .as_array()
                .into_iter()
                .flatten()
                .map(|one| convert(one, nulls, definitions))
                .collect(),
            "format" if value == "date-time" => value.clone(),
            "format" => continue,
            "type"
            | "enum"
            | "required"
            | "additionalProperties"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "minimum"
            | "maximum"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "maxProperties"
            | "minProperties" => value.clone(),
            _ => continue,
        };
        output.insert(word.clone(), value);
    }
    bound(schema, &mut output);
    if schema["nullable"] == true {
        nullable(output)
    } else {
        Value::Object(output)
    }
}

fn member_schema(member: &Value, nulls: Nulls, definitions: &mut Map<String, Value>) -> Value {
    match (nulls, or_no_value(member), member.as_object()) {
        (Nulls::Dropped, Some(one), _) => convert(one, nulls, definitions),
        (Nulls::Dropped, None, Some(own)) if own.contains_key("nullable") => {
            let mut own = own.clone();
            own.shift_remove("nullable");
            convert(&Value::Object(own), nulls, definitions)
        }
        (Nulls::Kept | Nulls::Dropped, _, _) => convert(member, nulls, definitions),
    }
}

/// Returns whether a rule of the server checks this keyword of a request, so that the refusal has its own status, code
/// and words.
fn is_judged_by_rules(schema: &Value, word: &str) -> bool {
    schema["x-multirail-judged-by-rules"]
        .as_array()
        .is_some_and(|words| words.iter().any(|judged| judged == word))
}

/// Converts integer formats to bounds.
fn bound(schema: &Value, output: &mut Map<String, Value>) {
    let (lowest, highest) = match schema["format"].as_str() {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => (i64::MIN, i64::MAX),
        _ => return,
    };
    output.entry("minimum").or_insert(Value::from(lowest));
    output.entry("maximum").or_insert(Value::from(highest));
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
