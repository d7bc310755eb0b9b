//! Parameters: flat values in path and query; a few headers that the server reads by itself.

use serde_json::Value;

use super::{Lint, Location, has_text, names};
use crate::document::{
    ASIDE_HEADERS, IDEMPOTENCY_HEADER, is_enumeration, is_scalar, items, referred, resolve,
};
use crate::names::snake;

pub fn check(lint: &mut Lint<'_>, location: &Location, operation: &Value) {
    let root = lint.root;
    let parameters: Vec<&Value> = items(&operation["parameters"])
        .map(|one| resolve(root, one))
        .collect();
    for (index, parameter) in parameters.iter().enumerate() {
        one(lint, location, index, parameter);
    }
    for kind in ["path", "query"] {
        let of_kind = parameters
            .iter()
            .filter(|parameter| parameter["in"] == kind);
        let names = of_kind.filter_map(|parameter| parameter["name"].as_str());
        for (one, other) in names::collisions(names, snake) {
            lint.find(
                location,
                format!("the {kind} parameters `{one}` and `{other}` are one name in Rust"),
                "rename one of them",
            );
        }
    }
}

fn one(lint: &mut Lint<'_>, location: &Location, index: usize, parameter: &Value) {
    let name = parameter["name"].as_str().unwrap_or("?");
    let here = location.part(&format!("parameter {name}"), &format!("parameters/{index}"));
    match parameter["in"].as_str() {
        Some("path") if parameter["required"] != true => {
            lint.find(&here, "a path parameter isn't required", "write `required: true`");
        }
        Some("path" | "query") => {}
        Some("header") if ASIDE_HEADERS.contains(&name) || name == IDEMPOTENCY_HEADER => {}
        Some("header") => lint.find(
            &here,
            "it is a header",
            format!(
                "keys are security schemes and `{}` and `{IDEMPOTENCY_HEADER}` are the only other headers; use the query or body",
                ASIDE_HEADERS.join("`, `")
            ),
        ),
        _ => lint.find(&here, "it is neither in the path nor in the query", "move it; progenitor refuses cookies"),
    }
    if !(names::is_member(name) || name == IDEMPOTENCY_HEADER) {
        lint.find(
            &here,
            "its name can't be a field in Rust",
            "use letters, digits, `_` and dots",
        );
    }
    if !has_text(&parameter["description"]) {
        lint.find(&here, "`description` is missing", "say what it means");
    }
    for word in [
        "content",
        "style",
        "explode",
        "allowReserved",
        "allowEmptyValue",
    ] {
        if parameter.get(word).is_some() {
            lint.find(
                &here,
                format!("`{word}` is used"),
                "give it a plain `schema`; progenitor mangles the rest",
            );
        }
    }
    if parameter["schema"].get("default").is_some() {
        lint.find(
            &here,
            "`default` is used",
            "say in the description what its absence means",
        );
    }
    if !is_flat(lint.root, &parameter["schema"]) {
        lint.find(
            &here,
            "its value isn't flat",
            "use text, a number, true or false, or a component that is one",
        );
    }
}

fn is_flat(root: &Value, schema: &Value) -> bool {
    match referred(schema) {
        Some(name) => {
            let target = &root["components"]["schemas"][name];
            is_scalar(target) || is_enumeration(target)
        }
        None => is_scalar(schema),
    }
}
