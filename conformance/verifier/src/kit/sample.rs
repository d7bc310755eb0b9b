//! Calls and values that the document allows, built from its schemas and examples.

use serde_json::{Map, Value, json};

use super::keys::Keys;
use crate::document::{Operation, body_schema, resolved};
use crate::run::{Merchant, Run};
use crate::schema;
use crate::wire::Call;

/// An id of no object.
pub(super) const UNBORN: &str = "unborn";

/// The header that names the profile.
pub(super) const PROFILE: &str = "X-Profile-Id";

/// Texts for the document's patterns; the first one that a schema accepts is used.
const TEXTS: &[&str] = &[
    "a",
    "1",
    "10",
    "1234",
    "2035",
    "usd",
    "#123",
    "never",
    "https://shop.example/",
    "2030-01-01T00:00:00Z",
    "4111111111111111",
];

/// Returns the smallest value of a schema: of an object only the required members.
pub(super) fn least(pointer: &str) -> Value {
    let (pointer, schema) = resolved(pointer);
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
        return word.clone();
    }
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let names = required.filter_map(Value::as_str);
            let member = |name: &str| {
                let at = format!("{pointer}/properties/{name}");
                (name.to_owned(), least(&at))
            };
            Value::Object(names.map(member).collect::<Map<_, _>>())
        }
        Some("array") => {
            let least_items = schema["minItems"].as_u64().unwrap_or(0);
            (0..least_items)
                .map(|_| least(&format!("{pointer}/items")))
                .collect()
        }
        Some("integer" | "number") => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        Some("boolean") => json!(false),
        Some("string") if schema["format"] == "date-time" => json!("2030-01-01T00:00:00Z"),
        Some("string") => text(schema),
        _ => Value::Null,
    }
}

fn text(schema: &Value) -> Value {
    if schema["example"].is_string() {
        return schema["example"].clone();
    }
    let shortest = schema["minLength"].as_u64().unwrap_or(0);
    let length = usize::try_from(shortest).unwrap_or_default();
    let long_enough = "a".repeat(length.max(1));
    let mut texts = TEXTS.iter().copied().chain([long_enough.as_str()]);
    let taken = texts.find(|text| schema::takes_text(schema, text));
    taken.unwrap_or("a").into()
}

/// Returns a valid call of the operation, with the first held key that opens it. It is the call that worked in a
/// story, or else one with the document's example about no object. `None` if the run holds no such key.
pub(super) fn call(
    run: &Run,
    merchant: &Merchant,
    keys: &Keys,
    operation: &Operation,
) -> Option<Call> {
    if let Some(call) = run.worked.get(operation.id.as_str()) {
        return Some(call.clone());
    }
    let call = run.wire.call(&operation.id);
    let call = match keys.opening(operation) {
        Some(key) => key.calls(call),
        None if operation.security.is_empty() => call,
        None => return None,
    };
    let filled = |call: Call, name: &str| match name {
        "account_id" | "merchant_id" => call.at(name, &merchant.id),
        "profile_id" => call.at(name, &merchant.profile_id),
        _ => call.at(name, UNBORN),
    };
    let ids = operation.path_parameters();
    let call = ids.into_iter().fold(call, filled);
    let all = operation.parameters().into_iter();
    let required = all.filter(|(_, one)| one["in"] != "path" && one["required"] == true);
    let call = required.fold(call, |call, (pointer, one)| {
        let value = least(&format!("{pointer}/schema"));
        let value = value.as_str().map_or(value.to_string(), str::to_owned);
        match one["name"].as_str().unwrap_or_default() {
            PROFILE => call.header_instead(PROFILE, &merchant.profile_id),
            name if one["in"] == "header" => call.header_instead(name, &value),
            name => call.query(name, value),
        }
    });
    Some(match body_schema(operation) {
        Some(pointer) => {
            let example = operation.example("application/json").cloned();
            call.json(&example.unwrap_or_else(|| least(&pointer)))
        }
        None => call,
    })
}
