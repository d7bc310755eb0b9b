//! Forms and queries with nested keys, read with the types of a schema.

use std::convert::Infallible;

use bytes::Bytes;
use futures::executor::block_on;
use futures::stream;
use serde_json::{Map, Value};

use super::references::resolved;

/// Parses `a[b][0]=c` to nested objects. Lists are objects with numeric names, and all values are
/// texts.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut root = Map::new();
    for (key, value) in url::form_urlencoded::parse(text.as_bytes()) {
        let path = segments(&key).ok_or_else(|| format!("the key {key:?}"))?;
        let (last, parents) = path.split_last().expect("a key has a segment");
        let mut place = &mut root;
        for parent in parents {
            let entry = place.entry(*parent).or_insert_with(|| Map::new().into());
            place = entry
                .as_object_mut()
                .ok_or_else(|| format!("{key:?}: a text and an object"))?;
        }
        if place.insert((*last).to_owned(), value.into()).is_some() {
            return Err(format!("{key:?} twice"));
        }
    }
    Ok(root.into())
}

/// Parses a multipart body to an object. A file becomes its contents, if they are text.
pub fn parts(content_type: &str, body: &[u8]) -> Result<Value, String> {
    let boundary = multer::parse_boundary(content_type).map_err(|error| error.to_string())?;
    let whole = Bytes::copy_from_slice(body);
    let stream = stream::once(async { Ok::<_, Infallible>(whole) });
    let read = async {
        let mut parts = Map::new();
        let mut body = multer::Multipart::new(stream, boundary);
        while let Some(part) = body.next_field().await? {
            let name = part.name().unwrap_or_default().to_owned();
            let bytes = part.bytes().await?;
            parts.insert(name, String::from_utf8_lossy(&bytes).into());
        }
        Ok::<_, multer::Error>(parts)
    };
    // The whole body is in memory, so this doesn't block.
    let parts = block_on(read).map_err(|error| error.to_string())?;
    Ok(parts.into())
}

/// Splits `a[b][0]` into `a`, `b`, `0`.
fn segments(key: &str) -> Option<Vec<&str>> {
    let (first, mut rest) = match key.find('[') {
        Some(at) => key.split_at(at),
        None => (key, ""),
    };
    let mut found = vec![first];
    while !rest.is_empty() {
        let (segment, after) = rest.strip_prefix('[')?.split_once(']')?;
        found.push(segment);
        rest = after;
    }
    found
        .iter()
        .all(|segment| !segment.is_empty())
        .then_some(found)
}

/// Converts texts to the numbers, booleans and lists of the schema. Unfitting texts stay, so that
/// the schema rejects them. References are looked up in `root`.
pub fn typed(value: Value, schema: &Value, root: &Value) -> Value {
    let schema = resolved(schema, root);
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first(),
        kind => Some(kind),
    };
    match (kind.and_then(Value::as_str).unwrap_or_default(), value) {
        ("integer" | "number", Value::String(text)) => match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => number.into(),
            _ => text
                .parse::<f64>()
                .ok()
                .filter(|_| text.contains('.'))
                .map_or(Value::String(text), Value::from),
        },
        ("boolean", Value::String(text)) => match text.as_str() {
            "true" => true.into(),
            "false" => false.into(),
            _ => text.into(),
        },
        ("array", Value::Object(members)) => list(members, &schema["items"], root),
        (_, Value::Object(members)) => members
            .into_iter()
            .map(|(name, value)| {
                let known = schema["properties"].get(&name);
                let schema = known.unwrap_or(&schema["additionalProperties"]);
                let value = typed(value, schema, root);
                (name, value)
            })
            .collect(),
        (_, other) => other,
    }
}

/// Converts an object with the names 0, 1, 2, ... to a list; leaves others unchanged.
fn list(members: Map<String, Value>, items: &Value, root: &Value) -> Value {
    let is_list = (0..members.len()).all(|index| members.contains_key(&index.to_string()));
    if !is_list {
        return members.into();
    }
    (0..members.len())
        .map(|index| typed(members[&index.to_string()].clone(), items, root))
        .collect()
}
