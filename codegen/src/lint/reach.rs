//! Checks the schemas that requests and answers reach through references.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Lint, Location};
use crate::document::{is_nullable, items, members, resolve};
use crate::schemas::references;

pub fn check(lint: &mut Lint<'_>) {
    let root = lint.root;
    let (mut requests, mut answers, mut others) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut bodies = BTreeSet::new();
    for (_, _, _, operation) in lint.operations() {
        bodies.extend(references(resolve(root, &operation["requestBody"])));
        walk(
            root,
            resolve(root, &operation["requestBody"]),
            &mut requests,
        );
        for (_, answer) in members(&operation["responses"]) {
            walk(root, resolve(root, answer), &mut answers);
        }
        for parameter in items(&operation["parameters"]) {
            walk(root, resolve(root, parameter), &mut others);
        }
    }
    // Webhook bodies follow the rules of answers.
    walk(root, &root["x-webhooks"], &mut answers);
    for (name, schema) in lint.components() {
        let location = Location::schema(name);
        if requests.contains(name) {
            in_request(lint, &location, schema);
        }
        unused(lint, &location, schema, bodies.contains(name));
        if answers.contains(name) {
            in_answer(lint, &location, name, schema);
        }
        if !requests.contains(name) && !answers.contains(name) && !others.contains(name) {
            lint.find(
                &location,
                "no operation uses it",
                "remove it; it would be a type that nothing can test",
            );
        }
    }
}

fn in_request(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    if schema.get("oneOf").is_some() {
        lint.find(
            location,
            "a request reaches a `oneOf`",
            "use an object with one optional member a variant, so that an error can name the member",
        );
    }
    if schema.get("properties").is_some() && schema["additionalProperties"] != false {
        lint.find(
            location,
            "an object of a request is open",
            "write `additionalProperties: false`; a name with a slip in it must not be ignored",
        );
    }
    for name in items(&schema["required"]).filter_map(Value::as_str) {
        if is_nullable(&schema["properties"][name]) {
            lint.find(
                location,
                format!("a request requires `{name}`, which may be null"),
                "in requests null means absent; make it optional, or not nullable",
            );
        }
    }
}

/// Finds marks of members without an effect. They must stand in a body's own members, because the frame looks nowhere else.
fn unused(lint: &mut Lint<'_>, location: &Location, schema: &Value, is_body: bool) {
    for (name, member) in members(&schema["properties"]) {
        let here = location.below(&format!("properties/{name}"));
        let Some(mark) = member.get("x-multirail-not-built") else {
            continue;
        };
        if !mark.is_array() {
            lint.find(
                &here,
                "the mark of an unused member has another form",
                "write `x-multirail-not-built` with a list of values",
            );
        }
        if !is_body || member["nullable"] != true {
            lint.find(
                &here,
                "an unused member stands where the mark has no effect",
                "mark only optional members of a body itself",
            );
        }
    }
}

fn in_answer(lint: &mut Lint<'_>, location: &Location, name: &str, schema: &Value) {
    if has_secret(schema) {
        lint.find(
            location,
            "an answer reaches `format: secret`",
            "answer something else; secrets only come in",
        );
    }
    if name.ends_with("Request") {
        lint.find(
            location,
            "an answer reaches a request schema",
            "give the answer a schema of its own",
        );
    }
}

fn has_secret(schema: &Value) -> bool {
    schema["format"] == "secret"
        || match schema {
            Value::Object(members) => members.values().any(has_secret),
            Value::Array(items) => items.iter().any(has_secret),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
}

/// Adds every component that a value reaches.
fn walk(root: &Value, value: &Value, found: &mut BTreeSet<String>) {
    for name in references(value) {
        if found.insert(name.clone()) {
            walk(root, &root["components"]["schemas"][&name], found);
        }
    }
}
