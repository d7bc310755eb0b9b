//! Checkers of every operation, compiled at their first use.

use std::sync::{LazyLock, OnceLock};

use serde_json::{Map, Value, json};

use crate::schema::{document, resolve};
use crate::similar_name::most_similar;
use crate::validate::{Checker, component};
use crate::violation::Location;
use crate::violation::shown;
use crate::{ApiError, OPERATIONS, OpInfo};

/// The checkers of one operation.
#[derive(Debug, Default)]
pub struct Inputs {
    path: OnceLock<Checker>,
    query: OnceLock<Checker>,
    body: OnceLock<Checker>,
}

static INPUTS: LazyLock<Vec<Inputs>> =
    LazyLock::new(|| OPERATIONS.iter().map(|_| Inputs::default()).collect());

/// Returns the checker of path parameters.
pub fn path(info: &'static OpInfo) -> &'static Checker {
    INPUTS[info.op as usize]
        .path
        .get_or_init(|| Checker::new(parameters(info, "path"), Location::Path))
}

/// Returns the checker of query parameters.
pub fn query(info: &'static OpInfo) -> &'static Checker {
    INPUTS[info.op as usize]
        .query
        .get_or_init(|| Checker::new(parameters(info, "query"), Location::Query))
}

/// Returns the body's checker. For an operation without a body it accepts anything.
pub fn body(info: &'static OpInfo) -> &'static Checker {
    INPUTS[info.op as usize].body.get_or_init(|| {
        let schema = info.request_schema.map_or_else(|| json!({}), component);
        Checker::new(schema, Location::Body)
    })
}

/// The most parameters that a refusal names.
const NAMED_AT_MOST: usize = 6;

/// Refuses unknown names in the query: a misspelled filter would return too much, and a misspelled switch would be off.
/// Operations whose addresses others extend accept any query.
///
/// # Errors
/// 400 `IR_06` with the first unknown name and, if one is similar, the parameter that was probably meant.
pub fn known_query(info: &'static OpInfo, text: &str) -> Result<(), ApiError> {
    if text.is_empty() || operation(info)["x-multirail-any-query"] == true {
        return Ok(());
    }
    let known = self::query(info).schema()["properties"].as_object();
    let known = || known.into_iter().flatten().map(|(name, _)| name.as_str());
    let mut names = url::form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name);
    let Some(unknown) = names.find(|name| !known().any(|one| one == name)) else {
        return Ok(());
    };
    let hint = match most_similar(&unknown, known()) {
        Some(name) => format!(" Was `{name}` meant?"),
        None => {
            let mut known: Vec<&str> = known().collect();
            known.sort_unstable();
            known_names(&known)
        }
    };
    Err(ApiError::unreadable(format!(
        "The query parameter `{}` isn't known here.{hint}",
        shown(&unknown)
    )))
}

/// Returns a sentence with the known parameters, unless they are many.
fn known_names(known: &[&str]) -> String {
    match known {
        [] => " This operation takes none.".to_owned(),
        few if few.len() <= NAMED_AT_MOST => {
            let names: Vec<String> = few.iter().map(|name| format!("`{name}`")).collect();
            format!(" Known: {}.", names.join(", "))
        }
        _ => String::new(),
    }
}

/// Returns the operation as the document describes it.
fn operation(info: &OpInfo) -> &'static Value {
    &document()["paths"][info.path][info.method.as_str().to_ascii_lowercase()]
}

/// Returns the parameters at one location as the schema of one object.
fn parameters(info: &OpInfo, location: &str) -> Value {
    let item = &document()["paths"][info.path];
    let operation = operation(info);
    let mut members = Map::new();
    let mut required = Vec::new();
    let all = [item, operation]
        .into_iter()
        .flat_map(|owner| owner["parameters"].as_array().into_iter().flatten());
    for parameter in all
        .map(resolve)
        .filter(|parameter| parameter["in"] == location)
    {
        let name = parameter["name"].as_str().unwrap_or_default();
        members.insert(name.to_owned(), parameter["schema"].clone());
        if parameter["required"] == true {
            required.push(Value::from(name));
        }
    }
    let mut schema = json!({ "type": "object", "properties": members });
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}
