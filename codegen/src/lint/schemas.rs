//! Schemas: the few forms that typify turns into the types that we mean.

use serde_json::Value;

use super::{Lint, Location, has_text, names};
use crate::document::{NO_VALUE, items, members, or_no_value, reference};
use crate::enums::words;
use crate::names::{pascal, snake};

/// Keywords that no schema may have, each with its remedy.
const FORBIDDEN: [(&str, &str); 10] = [
    ("not", "say what is allowed instead; typify panics"),
    (
        "exclusiveMinimum",
        "use `minimum`; the JSON Schema dialects disagree about the word",
    ),
    (
        "exclusiveMaximum",
        "use `maximum`; the JSON Schema dialects disagree about the word",
    ),
    (
        "multipleOf",
        "say it in the description and check it in the server",
    ),
    (
        "readOnly",
        "use separate request and response schemas; typify ignores the word",
    ),
    (
        "writeOnly",
        "use separate request and response schemas; typify ignores the word",
    ),
    (
        "discriminator",
        "write variants inline, each with a one-word enumeration as its tag",
    ),
    (
        "default",
        "say in the description what absence means; a default would turn absent into present",
    ),
    (
        "title",
        "leave it out; typify would take it for a type's name",
    ),
    ("xml", "leave it out"),
];

/// Bounds that a rule of the server may check instead of the frame.
const BOUNDS: [&str; 9] = [
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

pub fn check(lint: &mut Lint<'_>) {
    for (name, schema) in lint.components() {
        let location = Location::schema(name);
        if !names::is_component(name) {
            lint.find(
                &location,
                "the name can't be a type in Rust",
                "use CamelCase, and no name of the prelude",
            );
        }
        if !has_text(&schema["description"]) {
            lint.find(&location, "`description` is missing", "say what it is");
        }
        component(lint, &location, name, schema);
    }
    error_body(lint);
}

/// Checks the error body, which the frame writes itself: the document must describe it.
fn error_body(lint: &mut Lint<'_>) {
    let body = &lint.root["components"]["schemas"]["ErrorBody"];
    let names: Vec<&str> = members(&body["properties"]).map(|(name, _)| name).collect();
    let content =
        &lint.root["components"]["responses"]["Error"]["content"]["application/json"]["schema"];
    if reference(content) != Some("ErrorBody") || names != ["error_type", "message", "code"] {
        lint.find(
            &Location::at("/components/responses/Error"),
            "the error answer isn't `ErrorBody` with error_type, message and code",
            "the server writes exactly these three members; see ApiError",
        );
    }
}

fn component(lint: &mut Lint<'_>, location: &Location, name: &str, schema: &Value) {
    if name == NO_VALUE {
        no_value(lint, location, schema);
    } else if schema.get("enum").is_some() {
        enumeration(lint, location, schema);
    } else if schema["type"] == "object" && schema.get("properties").is_some() {
        object(lint, location, schema);
    } else if schema.get("oneOf").is_some() {
        one_of(lint, location, schema);
    } else {
        plain(lint, location, schema);
    }
}

/// Checks `NoValue`, the one enumeration whose value is null.
fn no_value(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    let is_null_alone = schema["type"] == "string"
        && schema["nullable"] == true
        && items(&schema["enum"]).eq([&Value::Null]);
    if !is_null_alone {
        lint.find(
            location,
            "it allows something",
            "write `type: string`, `nullable: true`, `enum: [null]`; references that may be null end in it",
        );
    }
}

fn enumeration(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    forbidden(lint, location, schema);
    if schema["type"] != "string" || items(&schema["enum"]).any(|word| !word.is_string()) {
        lint.find(
            location,
            "the enumeration isn't one of texts",
            "write `type: string` and texts only, no null",
        );
    }
    for word in words(schema)
        .into_iter()
        .filter(|word| !names::is_word(word))
    {
        lint.find(
            location,
            format!("the word `{word}` can't be a variant in Rust"),
            "choose another word",
        );
    }
    for (one, other) in names::collisions(words(schema).into_iter(), pascal) {
        lint.find(
            location,
            format!("the words `{one}` and `{other}` are one variant in Rust"),
            "keep one of them; typify panics at such pairs",
        );
    }
}

fn object(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    forbidden(lint, location, schema);
    for (name, member) in members(&schema["properties"]) {
        let here = location.below(&format!("properties/{name}"));
        if !names::is_member(name) {
            lint.find(
                &here,
                "the name can't be a field in Rust",
                "use letters, digits and `_`",
            );
        }
        if !has_text(&member["description"]) {
            lint.find(
                &here,
                "`description` is missing",
                "say what it means; beside a reference use `allOf: [$ref]`",
            );
        }
        plain(lint, &here, member);
    }
    for (one, other) in
        names::collisions(members(&schema["properties"]).map(|(name, _)| name), snake)
    {
        lint.find(
            location,
            format!("the members `{one}` and `{other}` are one field in Rust"),
            "rename one of them",
        );
    }
    for name in items(&schema["required"]).filter_map(Value::as_str) {
        if schema["properties"].get(name).is_none() {
            lint.find(
                location,
                format!("`required` lists `{name}`, which isn't there"),
                "add the member or unlist it",
            );
        }
    }
    if schema["additionalProperties"].is_object() {
        lint.find(
            location,
            "named members and typed others share an object",
            "put the others into a member of their own; typify would flatten them",
        );
    }
}

/// Checks that variants are inline objects with names, and that they share a tag: a required member that is a one-word
/// enumeration.
fn one_of(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    forbidden(lint, location, schema);
    let variants: Vec<&Value> = items(&schema["oneOf"]).collect();
    let is_tag = |variant: &Value, name: &str| {
        words(&variant["properties"][name]).len() == 1
            && items(&variant["required"]).any(|one| one == name)
    };
    let tagged = variants.first().is_some_and(|first| {
        members(&first["properties"])
            .any(|(name, _)| variants.iter().all(|variant| is_tag(variant, name)))
    });
    if !tagged {
        lint.find(
            location,
            "the variants of `oneOf` share no tag",
            "write them inline, each with the same required member as a one-word enumeration",
        );
    }
    for (index, variant) in variants.iter().enumerate() {
        variant_name(lint, &location.below(&format!("oneOf/{index}")), variant);
        for (name, member) in
            members(&variant["properties"]).filter(|(name, _)| !is_tag(variant, name))
        {
            plain(
                lint,
                &location.below(&format!("oneOf/{index}/properties/{name}")),
                member,
            );
        }
    }
}

/// Checks the `title` of a variant, which is the name of its type in other languages. The types of Rust don't have it.
fn variant_name(lint: &mut Lint<'_>, location: &Location, variant: &Value) {
    let title = variant["title"].as_str().unwrap_or_default();
    if !names::is_component(title) {
        lint.find(
            location,
            "the variant has no `title` that can be the name of a type",
            "write a CamelCase name; generators number a variant without one",
        );
        return;
    }
    let variants = lint
        .components()
        .flat_map(|(_, schema)| items(&schema["oneOf"]));
    let namesakes = variants.filter(|one| one["title"] == title).count();
    if namesakes > 1 || lint.components().any(|(name, _)| name == title) {
        lint.find(
            location,
            format!("another type has the name `{title}`"),
            "choose another `title`",
        );
    }
}

/// Checks a schema that isn't a named object, enumeration or one-of.
fn plain(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    forbidden(lint, location, schema);
    if schema.get("$ref").is_some() {
        target(lint, location, schema);
        if schema.as_object().is_some_and(|members| members.len() > 1) {
            lint.find(
                location,
                "something stands beside a reference",
                "write `allOf: [$ref]`; readers ignore the rest",
            );
        }
        return;
    }
    if schema.get("allOf").is_some() {
        all_of(lint, location, schema);
        return;
    }
    if schema.get("anyOf").is_some() {
        any_of(lint, location, schema);
        return;
    }
    if schema["nullable"] == true && schema["type"].is_null() {
        lint.find(
            location,
            "`nullable` stands without `type`",
            "leave it out where any value is allowed, null among them; strict readers refuse the word without a type",
        );
    }
    if schema.get("oneOf").is_some() {
        lint.find(
            location,
            "`oneOf` stands inside another schema",
            "make it a component",
        );
    }
    if schema.get("enum").is_some() {
        lint.find(
            location,
            "an enumeration stands inside another schema",
            "make it a component, so that it is one type",
        );
    }
    match schema["type"].as_str() {
        Some("object") => nested_object(lint, location, schema),
        Some("array") if schema.get("items").is_none() => {
            lint.find(location, "the list has no `items`", "say what it holds")
        }
        Some("array") => plain(lint, &location.below("items"), &schema["items"]),
        Some(kind) => format(lint, location, kind, schema),
        // Any value at all.
        None if schema["type"].is_null() => {}
        None => lint.find(
            location,
            "`type` isn't one word",
            "use `nullable: true` instead of a list of types",
        ),
    }
}

fn all_of(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    match schema["allOf"].as_array().map(Vec::as_slice) {
        Some([only]) if reference(only).is_some() && stands_alone(schema, "allOf") => {
            target(lint, location, only);
        }
        _ => lint.find(
            location,
            "`allOf` isn't one reference with a description beside it",
            "write the members out; merged types have names that nobody chose. What may be null is \
             `anyOf: [$ref, NoValue]`",
        ),
    }
}

/// Checks `anyOf`, which has one use: a reference that may be null.
fn any_of(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    match or_no_value(schema) {
        Some(only) if stands_alone(schema, "anyOf") => target(lint, location, only),
        _ => lint.find(
            location,
            "`anyOf` isn't a reference and `NoValue` with a description beside them",
            "use an object with one optional member a variant; typify mangles any other use",
        ),
    }
}

/// Returns whether nothing but a description, `deprecated` and extensions stands beside the word.
fn stands_alone(schema: &Value, word: &str) -> bool {
    members(schema).all(|(beside, _)| {
        beside == word || matches!(beside, "description" | "deprecated") || beside.starts_with("x-")
    })
}

fn nested_object(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    if schema.get("properties").is_some() {
        lint.find(
            location,
            "an object with members stands inside another schema",
            "make it a component with a name",
        );
    }
    match &schema["additionalProperties"] {
        Value::Bool(true) => {}
        Value::Object(_) => {
            plain(
                lint,
                &location.below("additionalProperties"),
                &schema["additionalProperties"],
            );
        }
        _ => lint.find(
            location,
            "a free object doesn't say so",
            "write `additionalProperties: true`",
        ),
    }
}

fn format(lint: &mut Lint<'_>, location: &Location, kind: &str, schema: &Value) {
    let (known, remedy) = match kind {
        "integer" => (
            &["int32", "int64"][..],
            "write `format: int64` for money, `int32` for counts",
        ),
        "number" => (&["double"][..], "write `format: double`"),
        "string" => (
            &["", "date-time", "secret"][..],
            "only `date-time` and `secret` mean something; describe the rest",
        ),
        "boolean" => (&[""][..], "leave it out"),
        _ => {
            lint.find(
                location,
                format!("the type `{kind}` doesn't exist"),
                "use a type of OpenAPI 3.0",
            );
            return;
        }
    };
    let format = schema["format"].as_str().unwrap_or_default();
    if !known.contains(&format) {
        lint.find(
            location,
            format!("`{kind}` with the format `{format}`"),
            remedy,
        );
    }
}

fn target(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    let found = reference(schema)
        .is_some_and(|name| lint.root["components"]["schemas"].get(name).is_some());
    if !found {
        lint.find(
            location,
            format!("{} leads nowhere", schema["$ref"]),
            "refer to a component schema that exists",
        );
    }
}

fn forbidden(lint: &mut Lint<'_>, location: &Location, schema: &Value) {
    for (word, remedy) in FORBIDDEN {
        if schema.get(word).is_some() {
            lint.find(location, format!("`{word}` is used"), remedy);
        }
    }
    for word in items(&schema["x-multirail-judged-by-rules"]).filter_map(Value::as_str) {
        if !BOUNDS.contains(&word) || schema.get(word).is_none() {
            lint.find(
                location,
                format!(
                    "`x-multirail-judged-by-rules` names `{word}`, which is no bound beside it"
                ),
                "name the bounds of this schema that a rule of the server judges",
            );
        }
    }
    if schema.get("x-multirail-any-case").is_some() && schema.get("enum").is_none() {
        lint.find(
            location,
            "`x-multirail-any-case` marks no enumeration",
            "remove it",
        );
    }
}
