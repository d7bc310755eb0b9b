//! The places of schemas in the document, and the operations that reach them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use multirail_verifier::schema::referred;

/// Escapes a name for a JSON pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns the pointer of a component.
pub fn component(name: &str) -> String {
    format!("/components/schemas/{name}")
}

/// Returns pointer and value of a parameter, which may be shared.
pub fn parameter<'d>(
    document: &'d Value,
    pointer: &str,
    written: &'d Value,
) -> (String, &'d Value) {
    let target = written["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix('#'));
    match target.and_then(|target| Some((target, document.pointer(target)?))) {
        Some((target, shared)) => (target.to_owned(), shared),
        None => (pointer.to_owned(), written),
    }
}

/// Returns pointer and value of an answer, which may be shared.
pub fn answer<'d>(document: &'d Value, pointer: &str, written: &'d Value) -> (String, &'d Value) {
    parameter(document, pointer, written)
}

/// The stand-alone schemas: components, and the operations' own.
#[derive(Clone, Debug)]
pub struct Places {
    /// The ids of the operations that reach a root, by its pointer.
    reached: BTreeMap<String, BTreeSet<String>>,
    /// The operations that the specification defines.
    specified: BTreeSet<String>,
}

impl Places {
    pub fn new(document: &Value) -> Self {
        let mut places = Self {
            reached: BTreeMap::new(),
            specified: BTreeSet::new(),
        };
        for (path, method, operation) in operations(document) {
            let id = operation["operationId"].as_str().unwrap_or_default();
            if operation["x-multirail-origin"] == "specification" {
                places.specified.insert(id.to_owned());
            }
            let own = format!("/paths/{}/{method}", escape(path));
            places
                .reached
                .entry(own.clone())
                .or_default()
                .insert(id.to_owned());
            for (pointer, schema) in roots(document, &own, operation) {
                places.reach(document, id, &pointer, schema);
            }
        }
        places
    }

    fn reach(&mut self, document: &Value, id: &str, pointer: &str, schema: &Value) {
        if self
            .reached
            .entry(pointer.to_owned())
            .or_default()
            .insert(id.to_owned())
        {
            let mut names = Vec::new();
            references(schema, &mut names);
            for name in names {
                let schema = &document["components"]["schemas"][name];
                self.reach(document, id, &component(name), schema);
            }
        }
    }

    /// Returns the operations that a place belongs to.
    pub fn operations(&self, place: &str) -> Vec<&str> {
        // The longest root that contains the place.
        let around = self.reached.iter().filter(|(root, _)| {
            place
                .strip_prefix(root.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let innermost = around.max_by_key(|(root, _)| root.len());
        innermost
            .into_iter()
            .flat_map(|(_, ids)| ids.iter().map(String::as_str))
            .collect()
    }

    /// Returns whether an operation of the specification reaches the place.
    pub fn is_specified(&self, place: &str) -> bool {
        self.operations(place)
            .iter()
            .any(|id| self.specified.contains(*id))
    }
}

/// Returns path, method and value of every operation.
pub fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    })
}

/// Returns the schemas of an operation: of its parameters, its body, its answers.
pub fn roots<'d>(document: &'d Value, own: &str, operation: &'d Value) -> Vec<(String, &'d Value)> {
    let mut found = Vec::new();
    for (index, written) in operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let (pointer, parameter) =
            parameter(document, &format!("{own}/parameters/{index}"), written);
        found.push((format!("{pointer}/schema"), &parameter["schema"]));
    }
    let mut contents = |pointer: &str, holder: &'d Value| {
        for (media_type, media) in holder["content"].as_object().into_iter().flatten() {
            let pointer = format!("{pointer}/content/{}/schema", escape(media_type));
            found.push((pointer, &media["schema"]));
        }
    };
    contents(&format!("{own}/requestBody"), &operation["requestBody"]);
    for (status, written) in operation["responses"].as_object().into_iter().flatten() {
        let (pointer, answer) = answer(document, &format!("{own}/responses/{status}"), written);
        contents(&pointer, answer);
    }
    found
}

/// Adds the components that a schema refers to.
fn references<'s>(schema: &'s Value, names: &mut Vec<&'s str>) {
    names.extend(referred(schema));
    match schema {
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        Value::Object(members) => members
            .values()
            .for_each(|member| references(member, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
