//! Query strings and path values as JSON objects, so that the same validation applies.

use serde_json::{Map, Number, Value};

use crate::ApiError;
use crate::json::NUL;
use crate::schema;

/// Parses a query into an object. Values become numbers and booleans where the schema requires them; others stay texts,
/// which the validation then names.
///
/// # Errors
/// 400 `IR_06` for a known parameter that is repeated although it has one value, contains U+0000, or isn't UTF-8.
pub fn parse(query: &str, schema: &Value) -> Result<Value, ApiError> {
    let mut values = Map::new();
    let written = query.split('&').filter(|pair| !pair.is_empty());
    let read = url::form_urlencoded::parse(query.as_bytes());
    for (written, (name, text)) in written.zip(read) {
        let Some(parameter) = schema["properties"].get(&*name) else {
            continue;
        };
        if !is_text(written) {
            return Err(ApiError::unreadable(format!(
                "The query parameter `{name}` holds bytes that are no text in UTF-8."
            )));
        }
        if text.contains(NUL) {
            return Err(ApiError::unreadable(format!(
                "The query parameter `{name}` holds the character U+0000, which isn't allowed in any text."
            )));
        }
        if let (Some(Value::String(before)), true) =
            (values.get_mut(&*name), is_repeatable(parameter))
        {
            before.push(',');
            before.push_str(&text);
            continue;
        }
        if values.contains_key(&*name) {
            return Err(ApiError::unreadable(format!(
                "The query parameter `{name}` stands more than once."
            )));
        }
        values.insert(name.into_owned(), typed(&text, parameter));
    }
    Ok(Value::Object(values))
}

/// Returns whether the decoded bytes of a pair are UTF-8.
fn is_text(pair: &str) -> bool {
    let written = pair.as_bytes();
    let digit = |at: usize| {
        written
            .get(at)
            .and_then(|byte| char::from(*byte).to_digit(16))
    };
    let mut bytes = Vec::with_capacity(written.len());
    let mut at = 0;
    while let Some(byte) = written.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    std::str::from_utf8(&bytes).is_ok()
}

/// Returns whether a parameter may be repeated: a list of words is one text with commas, or repeats its name.
fn is_repeatable(parameter: &Value) -> bool {
    schema::resolve(parameter)["x-multirail-repeatable"] == true
}

/// Returns path values as an object.
pub fn path(names: &[&str], values: &[String]) -> Value {
    names
        .iter()
        .zip(values)
        .map(|(name, value)| ((*name).to_owned(), Value::String(value.clone())))
        .collect()
}

/// Returns whether a path value is an identifier: 1 to 64 letters, digits, `_` and `-`.
pub fn is_identifier(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn typed(text: &str, parameter: &Value) -> Value {
    let parsed = match schema::resolve(parameter)["type"].as_str() {
        Some("integer") => text.parse::<i64>().ok().map(Value::from),
        Some("number") => text
            .parse::<f64>()
            .ok()
            .and_then(Number::from_f64)
            .map(Value::Number),
        Some("boolean") => text.parse::<bool>().ok().map(Value::Bool),
        _ => None,
    };
    parsed.unwrap_or_else(|| Value::String(text.to_owned()))
}
