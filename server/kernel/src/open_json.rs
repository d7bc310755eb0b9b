//! Reading the few members of requests whose form the document leaves open, because it depends on a neighbour. What is
//! wrong is named by its full path, and a name that isn't known is refused as everywhere.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// Something of the wrong form: `why` follows the path, such as "has to be a list".
pub fn malformed(path: &str, why: &str) -> Refusal {
    Refusal::Malformed {
        member: path.to_owned(),
        why: why.to_owned(),
    }
}

/// The object at a path, which has no other members than those that are known.
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

/// The name is the caller's own: it is cut, and digits are hidden where it may be a card number.
fn unknown(path: &str, name: &str) -> Refusal {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let shown: String = match digits {
        0..12 => name.chars().filter(|c| !c.is_control()).take(64).collect(),
        _ => "...".to_owned(),
    };
    malformed(
        &format!("{path}.{shown}"),
        "isn't a member that belongs there",
    )
}

/// A member that may be absent or null.
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

/// A member that has to be there.
pub fn required<T: DeserializeOwned>(
    object: &Map<String, Value>,
    name: &str,
    path: &str,
    expected: &str,
) -> Result<T, Refusal> {
    member(object, name, path, expected)?.ok_or_else(|| Refusal::missing(format!("{path}.{name}")))
}
