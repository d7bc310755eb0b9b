//! The document as given to progenitor and typify: the same interface with fewer words.
//!
//! The server validates every request against the document itself, so the Rust types need no rules. Lengths, patterns and
//! bounds are left out. A component that only adds rules to a plain type becomes that plain type. Examples, defaults and
//! extensions are left out. The data on the wire stays the same.

use openapiv3::OpenAPI;
use serde_json::{Map, Value, json};

use crate::Error;
use crate::document::{self, ASIDE_HEADERS, Document, reference, referred};
use crate::enums::words;

/// Formats that choose a Rust type. All others only restrict a text and are left out.
const TYPE_FORMATS: [&str; 6] = ["int32", "int64", "float", "double", "date-time", "secret"];

/// Keywords that stay in a schema for typify.
const KEYWORDS: [&str; 13] = [
    "type",
    "format",
    "nullable",
    "description",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "allOf",
    "oneOf",
    "enum",
    "$ref",
    "discriminator",
];

/// Returns the component schemas alone, for the wire types.
///
/// # Errors
/// Fails when the rest isn't an OpenAPI document, which is a fault of the projection.
pub fn for_types(document: &Document) -> Result<OpenAPI, Error> {
    let mut value = project(document);
    value["paths"] = json!({});
    read(value)
}

/// Returns the whole interface, for the client.
///
/// # Errors
/// Fails when the rest isn't an OpenAPI document, which is a fault of the projection.
pub fn for_client(document: &Document) -> Result<OpenAPI, Error> {
    read(project(document))
}

/// Returns whether a component has no Rust type of its own: text and numbers with rules, free objects, arrays.
pub fn is_inlined(schema: &Value) -> bool {
    document::is_scalar(schema) || schema["type"] == "array" || is_map(schema)
}

/// Returns whether a schema is an object without named members.
fn is_map(schema: &Value) -> bool {
    schema["type"] == "object" && schema.get("properties").is_none()
}

fn read(value: Value) -> Result<OpenAPI, Error> {
    serde_json::from_value(value).map_err(|error| Error::Emit(format!("projection: {error}")))
}

fn project(document: &Document) -> Value {
    let mut value = document.value.clone();
    if let Some(paths) = value["paths"].as_object_mut() {
        for item in paths.values_mut() {
            if let Some(item) = item.as_object_mut() {
                item.retain(|_, operation| {
                    !document::is_for_processors(operation) && !document::is_streamed(operation)
                });
            }
            project_path(document, item);
        }
        paths.retain(|_, item| {
            document::METHODS
                .iter()
                .any(|method| item.get(method).is_some())
        });
    }
    let mut components = Map::new();
    for (name, schema) in document.schemas() {
        if !is_inlined(schema) {
            components.insert(name.to_owned(), simplify(document, schema, Role::Component));
        }
    }
    value["components"] = json!({
        "schemas": components,
        "responses": document.value["components"]["responses"].clone(),
    });
    if let Some(responses) = value["components"]["responses"].as_object_mut() {
        responses
            .values_mut()
            .for_each(|response| project_content(document, response));
    }
    value
}

fn project_path(document: &Document, item: &mut Value) {
    let shared = item
        .as_object_mut()
        .and_then(|item| item.remove("parameters"))
        .unwrap_or_else(|| json!([]));
    for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
        let own = operation["parameters"].take();
        let parameters: Vec<Value> = [&shared, &own]
            .into_iter()
            .flat_map(document::items)
            .map(|parameter| project_parameter(document, parameter))
            .filter(|parameter| !ASIDE_HEADERS.iter().any(|name| parameter["name"] == *name))
            .collect();
        operation["parameters"] = Value::Array(parameters);
        if let Some(body) = operation.get_mut("requestBody") {
            project_content(document, body);
        }
        for response in operation["responses"]
            .as_object_mut()
            .into_iter()
            .flat_map(Map::values_mut)
        {
            project_content(document, response);
        }
    }
}

fn project_parameter(document: &Document, parameter: &Value) -> Value {
    let mut parameter = document.resolve(parameter).clone();
    parameter["schema"] = simplify(document, &parameter["schema"], Role::Component);
    for word in ["example", "examples"] {
        parameter
            .as_object_mut()
            .and_then(|parameter| parameter.remove(word));
    }
    parameter
}

fn project_content(document: &Document, owner: &mut Value) {
    // The client passes on all headers of an answer.
    if let Some(owner) = owner.as_object_mut() {
        owner.remove("headers");
    }
    for (name, media) in owner["content"].as_object_mut().into_iter().flatten() {
        // progenitor recognizes bytes by their format.
        if name == document::BYTES {
            continue;
        }
        let schema = simplify(document, &media["schema"], Role::Component);
        *media = json!({ "schema": schema });
    }
}

/// The role of a schema in the one around it. Variants keep their one-word enumerations, which are their tags; members lose
/// theirs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Component,
    Member,
    Variant,
}

fn simplify(document: &Document, schema: &Value, role: Role) -> Value {
    if let Some(target) = document::or_no_value(schema) {
        // typify recognizes a reference that may be null only in this form.
        let mut known = json!({ "nullable": true, "allOf": [target] });
        if let Some(description) = schema.get("description") {
            known["description"] = description.clone();
        }
        return simplify(document, &known, role);
    }
    if let Some(target) = referred(schema)
        .and_then(|name| document.schema(name))
        .filter(|target| is_inlined(target))
    {
        let mut plain = simplify(document, target, role);
        if let Some(plain) = plain.as_object_mut() {
            plain.remove("description");
            for word in ["description", "nullable"] {
                if let Some(own) = schema.get(word) {
                    plain.insert(word.to_owned(), own.clone());
                }
            }
        }
        return plain;
    }
    if reference(schema).is_some() {
        return schema.clone();
    }
    let mut output = Map::new();
    for (word, value) in document::members(schema) {
        if !KEYWORDS.contains(&word) {
            continue;
        }
        let value = match word {
            "properties" => members(document, schema, role),
            "items" => simplify(document, value, Role::Member),
            "additionalProperties" if value.is_object() => simplify(document, value, Role::Member),
            "additionalProperties" if value == false => continue,
            "oneOf" => Value::Array(
                by_tag(value)
                    .iter()
                    .map(|variant| simplify(document, variant, Role::Variant))
                    .collect(),
            ),
            "allOf" => each(value, |part| simplify(document, part, Role::Member)),
            "enum" if role == Role::Member => continue,
            "format" if !TYPE_FORMATS.iter().any(|known| value == known) => continue,
            _ => value.clone(),
        };
        output.insert(word.to_owned(), value);
    }
    Value::Object(output)
}

fn members(document: &Document, owner: &Value, role: Role) -> Value {
    let required = |name: &str| document::items(&owner["required"]).any(|one| one == name);
    let member_role = if role == Role::Variant {
        Role::Variant
    } else {
        Role::Member
    };
    let mut output = Map::new();
    for (name, schema) in document::members(&owner["properties"]) {
        let mut schema = simplify(document, schema, member_role);
        // typify writes an optional list or map as a bare collection, which would make "absent" and "empty" the same.
        if !required(name) && (schema["type"] == "array" || is_map(&schema)) {
            schema["nullable"] = Value::Bool(true);
        }
        output.insert(name.to_owned(), schema);
    }
    Value::Object(output)
}

/// Merges variants with the same tag: the result has the members of all, and members that one of them may lack are
/// optional. A reader that uses the tag could not distinguish them, and typify would give them the same name.
fn by_tag(variants: &Value) -> Vec<Value> {
    let tag_of = |variant: &Value| {
        let mut tags = document::members(&variant["properties"]).filter_map(|(_, member)| {
            match words(member).as_slice() {
                [word] => Some((*word).to_owned()),
                _ => None,
            }
        });
        tags.next()
    };
    let mut merged: Vec<Value> = Vec::new();
    for variant in document::items(variants) {
        let tag = tag_of(variant);
        let same = merged
            .iter_mut()
            .find(|one| tag.is_some() && tag_of(one) == tag);
        let Some(same) = same else {
            merged.push(variant.clone());
            continue;
        };
        let required: Vec<Value> = document::items(&same["required"])
            .filter(|name| document::items(&variant["required"]).any(|other| other == *name))
            .cloned()
            .collect();
        same["required"] = Value::Array(required);
        for (name, member) in document::members(&variant["properties"]) {
            if same["properties"].get(name).is_none() {
                same["properties"][name] = member.clone();
            }
        }
    }
    merged
}

fn each(list: &Value, change: impl Fn(&Value) -> Value) -> Value {
    Value::Array(document::items(list).map(change).collect())
}
