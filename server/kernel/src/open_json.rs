//! Reads the few members of requests whose format depends on a neighbour, so that the document leaves it open. Errors
//! name the full path, and unknown names are refused as everywhere.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// Returns the refusal of a malformed value. `why` follows the path, such as "has to be a list".
pub fn malformed(path: &str, why: &str) -> Refusal {
    Refusal::Malformed {
        member: path.to_owned(),
        why: why.to_owned(),
    }
}

/// Returns the object at a path and refuses unknown members.
pub fn object<'v>(
    value: &'v Value,
    path: &str,
    known: &[&str],
) -> Result<&'v Map<String, Value>, Refusal> {
    let Value::Object(object) = value else {
        return Err(malformed(path, "has to be an object"));
    };
    match object.keys().find(|name| !known.contains(&name.as_str())) {
        Some(other) => Err(unknown(path, other)),
        None => Ok(object),
    }
}

/// Refuses an unknown member. The caller chose its name, so it is cut, and hidden if it may be a card number.
fn unknown(path: &str, name: &str) -> Refusal {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let shown: String = match digits {
        0..12 => name.chars().filter(|c| !c.is_control()).take(64).collect(),
        _ => "...".to_owned(),
    };
    malformed(&format!("{path}.{shown}"), "is not a known member here")
}

/// Reads a member that may be absent or null.
pub fn member<T: DeserializeOwned>(
    object: &Map<String, Value>,
    name: &str,
    path: &str,
    expected: &str,
) -> Result<Option<T>, Refusal> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => T::deserialize(value)
            .map(Some)
            .map_err(|_| malformed(&format!("{path}.{name}"), &format!("has to be {expected}"))),
    }
}

/// Reads a required member.
pub fn required<T: DeserializeOwned>(
    object: &Map<String, Value>,
    name: &str,
    path: &str,
    expected: &str,
) -> Result<T, Refusal> {
    member(object, name, path, expected)?.ok_or_else(|| Refusal::missing(format!("{path}.{name}")))
}
