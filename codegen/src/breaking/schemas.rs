//! Compares schemas: types, bounds, words, members. A wider request breaks no sender; for answers the reverse holds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Compared, Found, Side};
use crate::document::members;

/// The place where a schema is used.
#[derive(Debug, Clone)]
pub(super) enum Context {
    Parameter {
        label: String,
        name: String,
    },
    /// The body of a request.
    Request {
        label: String,
    },
    /// The body of an answer.
    Answer {
        label: String,
    },
    /// A member of a request.
    Sent {
        subject: String,
        name: String,
    },
    /// A member of an answer.
    Read {
        subject: String,
        name: String,
    },
}

impl Context {
    fn is_answer(&self) -> bool {
        match self {
            Context::Answer { .. } | Context::Read { .. } => true,
            Context::Parameter { .. } | Context::Request { .. } | Context::Sent { .. } => false,
        }
    }

    /// Returns the beginning of the ids of its rules.
    fn prefix(&self) -> &'static str {
        match self {
            Context::Parameter { .. } => "request-parameter",
            Context::Request { .. } => "request-body",
            Context::Answer { .. } => "response-body",
            Context::Sent { .. } => "request-property",
            Context::Read { .. } => "response-property",
        }
    }

    fn subject(&self) -> String {
        match self {
            Context::Parameter { label, name } => format!("{label} {name}"),
            Context::Request { label } | Context::Answer { label } => label.clone(),
            Context::Sent { subject, .. } | Context::Read { subject, .. } => subject.clone(),
        }
    }

    fn names(&self) -> Vec<String> {
        match self {
            Context::Parameter { name, .. }
            | Context::Sent { name, .. }
            | Context::Read { name, .. } => vec![name.clone()],
            Context::Request { label } | Context::Answer { label } => {
                label.split(' ').skip(1).map(str::to_owned).collect()
            }
        }
    }

    /// Returns the context of a member of the object at this pointer.
    fn member(&self, pointer: &str, name: &str) -> Self {
        let owner = pointer.strip_prefix("/components/schemas/").map_or_else(
            || self.subject(),
            |path| path.replace("/properties/", ".").replace("/items", "[]"),
        );
        let (subject, name) = (format!("{owner}.{name}"), name.to_owned());
        match self.is_answer() {
            true => Context::Read { subject, name },
            false => Context::Sent { subject, name },
        }
    }
}

/// A schema, with its references followed.
struct Resolved {
    pointer: String,
    schema: Value,
    is_nullable: bool,
}

fn resolve(side: &Side, pointer: &str, is_nullable: bool) -> Resolved {
    let schema = side.at(pointer);
    let is_nullable = is_nullable || schema["nullable"] == true;
    if let Some(target) = schema["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix('#'))
    {
        return resolve(side, target, is_nullable);
    }
    // One reference with a description beside it, or one that may be null.
    if schema["allOf"].as_array().is_some_and(|all| all.len() == 1) {
        return resolve(side, &format!("{pointer}/allOf/0"), is_nullable);
    }
    if schema["anyOf"].as_array().is_some_and(|all| all.len() == 2) {
        return resolve(side, &format!("{pointer}/anyOf/0"), true);
    }
    Resolved {
        pointer: pointer.to_owned(),
        schema: schema.clone(),
        is_nullable,
    }
}

/// Compares the schemas at two pointers, and all schemas that they reach.
pub(super) fn compare(compared: &mut Compared, context: &Context, old: &str, new: &str) {
    let before = resolve(&compared.old, old, false);
    let after = resolve(&compared.new, new, false);
    let mut note = |compared: &mut Compared, what: &str, told: String, name: Option<&str>| {
        let found = Found {
            subject: context.subject(),
            what: told,
            // The place of use, if the schema itself is a component that others use too.
            pointer: if what.contains("nullable") {
                new
            } else {
                &after.pointer
            },
            is_gone: false,
            names: name.map_or_else(|| context.names(), |name| vec![name.to_owned()]),
        };
        compared.find(&format!("{}-{what}", context.prefix()), found);
    };
    match (before.is_nullable, after.is_nullable) {
        (false, true) => note(compared, "became-nullable", "may be null".to_owned(), None),
        (true, false) => note(
            compared,
            "became-not-nullable",
            "may not be null".to_owned(),
            None,
        ),
        (true, true) | (false, false) => {}
    }
    let kind = |one: &Resolved| (one.schema["type"].clone(), one.schema["format"].clone());
    if kind(&before) != kind(&after) {
        let what = match (
            before.schema["type"].as_str(),
            after.schema["type"].as_str(),
        ) {
            (Some("integer"), Some("number")) => "type-generalized",
            (Some("number"), Some("integer")) if context.is_answer() => "type-specialized",
            _ => "type-changed",
        };
        let told = format!(
            "was {}, is {}",
            type_of(&before.schema),
            type_of(&after.schema)
        );
        note(compared, what, told, None);
    }
    words(compared, context, &before, &after, &mut note);
    bounds(compared, &before, &after, &mut note);
    let key = (
        before.pointer.clone(),
        after.pointer.clone(),
        context.is_answer(),
    );
    if !compared.seen.insert(key) {
        return;
    }
    object(compared, context, &before, &after);
    variants(compared, context, &before, &after);
    for inner in ["items", "additionalProperties"] {
        if before.schema[inner].is_object() && after.schema[inner].is_object() {
            let [old, new] = [&before, &after].map(|one| format!("{}/{inner}", one.pointer));
            compare(compared, context, &old, &new);
        }
    }
}

type Note<'n> = dyn FnMut(&mut Compared, &str, String, Option<&str>) + 'n;

fn type_of(schema: &Value) -> String {
    let kind = schema["type"].as_str().unwrap_or("anything");
    match schema["format"].as_str() {
        Some(format) => format!("{kind} ({format})"),
        None => kind.to_owned(),
    }
}

fn words(
    compared: &mut Compared,
    context: &Context,
    before: &Resolved,
    after: &Resolved,
    note: &mut Note<'_>,
) {
    let listed = |one: &Resolved| -> BTreeSet<String> {
        let words = one.schema["enum"].as_array().into_iter().flatten();
        words
            .map(|word| word.as_str().map_or(word.to_string(), str::to_owned))
            .collect()
    };
    let (old, new) = (listed(before), listed(after));
    if old.is_empty() && !new.is_empty() && !context.is_answer() {
        return note(
            compared,
            "became-enum",
            "takes listed words only".to_owned(),
            None,
        );
    }
    if old.is_empty() || new.is_empty() {
        return;
    }
    for word in old.difference(&new) {
        note(
            compared,
            "enum-value-removed",
            format!("`{word}` is gone"),
            Some(word),
        );
    }
    for word in new.difference(&old) {
        note(
            compared,
            "enum-value-added",
            format!("`{word}` is new"),
            Some(word),
        );
    }
}

fn bounds(compared: &mut Compared, before: &Resolved, after: &Resolved, note: &mut Note<'_>) {
    for (word, short) in [
        ("maxLength", "max-length"),
        ("maximum", "max"),
        ("maxItems", "max-items"),
        ("minLength", "min-length"),
        ("minimum", "min"),
        ("minItems", "min-items"),
    ] {
        // Without a bound, texts and lists may have any size.
        let least = if short == "min-length" { Some(0) } else { None };
        let of = |one: &Resolved| one.schema[word].as_i64().or(least);
        let what = match (of(before), of(after)) {
            (Some(old), Some(new)) if new > old => "increased",
            (Some(old), Some(new)) if new < old => "decreased",
            (None, Some(_)) => "set",
            (Some(_), None) => "unset",
            (Some(_), Some(_)) | (None, None) => continue,
        };
        let told = format!(
            "{word} was {}, is {}",
            before.schema[word], after.schema[word]
        );
        note(compared, &format!("{short}-{what}"), told, None);
    }
    let (old, new) = (&before.schema["pattern"], &after.schema["pattern"]);
    let what = match (old.is_null(), new.is_null()) {
        (true, false) => "pattern-added",
        (false, true) => "pattern-removed",
        (false, false) if old != new => "pattern-changed",
        (true, true) | (false, false) => return,
    };
    note(compared, what, format!("pattern was {old}, is {new}"), None);
}

fn object(compared: &mut Compared, context: &Context, before: &Resolved, after: &Resolved) {
    let requires = |one: &Resolved, name: &str| {
        let required = one.schema["required"].as_array();
        required.is_some_and(|names| names.iter().any(|known| known == name))
    };
    for (name, old) in members(&before.schema["properties"]) {
        let context = context.member(&after.pointer, name);
        let (was_required, is_required) = (requires(before, name), requires(after, name));
        let new = &after.schema["properties"][name];
        if new.is_null() {
            let id = match (context.is_answer(), was_required) {
                (false, _) => "request-property-removed",
                (true, true) => "response-required-property-removed",
                (true, false) => "response-optional-property-removed",
            };
            let pointer = format!("{}/properties/{name}", before.pointer);
            member(compared, &context, id, "is gone", (&pointer, true));
            continue;
        }
        let pointers = [before, after].map(|one| format!("{}/properties/{name}", one.pointer));
        let here = (pointers[1].as_str(), false);
        let prefix = context.prefix();
        match (was_required, is_required) {
            (false, true) => member(
                compared,
                &context,
                &format!("{prefix}-became-required"),
                "is required",
                here,
            ),
            (true, false) => member(
                compared,
                &context,
                &format!("{prefix}-became-optional"),
                "may be missing",
                here,
            ),
            (true, true) | (false, false) => {}
        }
        match (old["deprecated"] == true, new["deprecated"] == true) {
            (false, true) => member(
                compared,
                &context,
                &format!("{prefix}-deprecated"),
                "is deprecated",
                here,
            ),
            (true, false) => member(
                compared,
                &context,
                &format!("{prefix}-reactivated"),
                "is not deprecated any more",
                here,
            ),
            (true, true) | (false, false) => {}
        }
        compare(compared, &context, &pointers[0], &pointers[1]);
    }
    let old = &before.schema["properties"];
    for (name, _) in members(&after.schema["properties"]).filter(|(name, _)| old[*name].is_null()) {
        let context = context.member(&after.pointer, name);
        let id = match (context.is_answer(), requires(after, name)) {
            (false, true) => "new-required-request-property",
            (false, false) => "new-optional-request-property",
            (true, true) => "response-required-property-added",
            (true, false) => "response-optional-property-added",
        };
        let pointer = format!("{}/properties/{name}", after.pointer);
        member(compared, &context, id, "is new", (&pointer, false));
    }
}

fn member(
    compared: &mut Compared,
    context: &Context,
    id: &str,
    what: &str,
    (pointer, is_gone): (&str, bool),
) {
    let found = Found {
        subject: context.subject(),
        what: what.to_owned(),
        pointer,
        is_gone,
        names: context.names(),
    };
    compared.find(id, found);
}

/// Compares the variants of a `oneOf`, identified by the one word of their tag.
fn variants(compared: &mut Compared, context: &Context, before: &Resolved, after: &Resolved) {
    let tagged = |side: &Side, one: &Resolved| -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        let count = one.schema["oneOf"].as_array().map_or(0, Vec::len);
        for index in 0..count {
            let pointer = format!("{}/oneOf/{index}", one.pointer);
            let mut tag = tag_of(&resolve(side, &pointer, false).schema, index);
            // Two variants may have the same word; their order in the document distinguishes them.
            while all.iter().any(|(known, _)| *known == tag) {
                tag.push('\'');
            }
            all.push((tag, pointer));
        }
        all
    };
    let (old, new) = (tagged(&compared.old, before), tagged(&compared.new, after));
    let find = |all: &[(String, String)], tag: &str| {
        all.iter()
            .find(|(known, _)| known == tag)
            .map(|(_, pointer)| pointer.clone())
    };
    let note = |compared: &mut Compared, what: &str, tag: &str, pointer: &str, is_gone: bool| {
        let found = Found {
            subject: context.subject(),
            what: format!("the variant `{tag}`"),
            pointer,
            is_gone,
            names: vec![tag.trim_end_matches('\'').to_owned()],
        };
        compared.find(&format!("{}-one-of-{what}", context.prefix()), found);
    };
    for (tag, pointer) in &old {
        match find(&new, tag) {
            Some(now) => compare(compared, context, pointer, &now),
            None => note(compared, "removed", tag, pointer, true),
        }
    }
    for (tag, pointer) in new.iter().filter(|(tag, _)| find(&old, tag).is_none()) {
        note(compared, "added", tag, pointer, false);
    }
}

/// Returns the one word that a variant has for its tag.
fn tag_of(variant: &Value, index: usize) -> String {
    let mut words = members(&variant["properties"]).filter_map(|(_, member)| match member["enum"]
        .as_array()?
        .as_slice()
    {
        [word] => word.as_str().map(str::to_owned),
        _ => None,
    });
    words.next().unwrap_or_else(|| format!("number {index}"))
}
