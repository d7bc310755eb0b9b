//! The parts of the published document that pages for programs show.

use serde_json::{Map, Value};

static NOTHING: Value = Value::Null;

/// An operation of the document with its address.
pub(crate) struct Operation<'a> {
    document: &'a Value,
    pub(crate) method: String,
    pub(crate) path: &'a str,
    value: &'a Value,
}

/// Returns all operations in the order of the document.
pub(crate) fn operations(document: &Value) -> impl Iterator<Item = Operation<'_>> {
    members(&document["paths"]).flat_map(move |(path, item)| {
        members(item).map(move |(method, value)| Operation {
            document,
            method: method.to_uppercase(),
            path,
            value,
        })
    })
}

/// Returns name and description of each tag.
pub(crate) fn tags(document: &Value) -> impl Iterator<Item = (&str, &str)> {
    let tags = document["tags"].as_array().into_iter().flatten();
    tags.map(|tag| (text(&tag["name"]), text(&tag["description"])))
}

impl<'a> Operation<'a> {
    pub(crate) fn id(&self) -> &'a str {
        text(&self.value["operationId"])
    }

    pub(crate) fn tag(&self) -> &'a str {
        text(&self.value["tags"][0])
    }

    pub(crate) fn summary(&self) -> &'a str {
        text(&self.value["summary"])
    }

    pub(crate) fn description(&self) -> &'a str {
        text(&self.value["description"])
    }

    /// Returns the first scheme that the operation takes, if it needs a key.
    pub(crate) fn scheme(&self) -> Option<&'a str> {
        let schemes = self.value["security"].as_array()?;
        schemes
            .iter()
            .find_map(|scheme| scheme.as_object()?.keys().next())
            .map(String::as_str)
    }

    /// Returns the parameters of a place: `path`, `query` or `header`.
    pub(crate) fn parameters(&self, place: &str) -> impl Iterator<Item = Parameter<'a>> {
        let all = self.value["parameters"].as_array().into_iter().flatten();
        let document = self.document;
        all.map(move |one| resolved(document, one))
            .filter(move |one| one["in"] == place)
            .map(move |value| Parameter { document, value })
    }

    /// Returns media type and first example of the body.
    pub(crate) fn body(&self) -> Option<(&'a str, &'a Value)> {
        first_example(self.document, &self.value["requestBody"]["content"])
    }

    /// Returns media type and first example of the answer.
    pub(crate) fn answer(&self) -> Option<(&'a str, &'a Value)> {
        first_example(self.document, &self.value["responses"]["200"]["content"])
    }
}

/// A parameter of an operation.
pub(crate) struct Parameter<'a> {
    document: &'a Value,
    value: &'a Value,
}

impl<'a> Parameter<'a> {
    pub(crate) fn name(&self) -> &'a str {
        text(&self.value["name"])
    }

    pub(crate) fn description(&self) -> &'a str {
        text(&self.value["description"])
    }

    pub(crate) fn is_required(&self) -> bool {
        self.value["required"] == true
    }

    /// Returns a value that the parameter takes.
    pub(crate) fn example(&self) -> String {
        let schema = resolved(self.document, &self.value["schema"]);
        let candidates = [
            &self.value["example"],
            &schema["example"],
            &schema["enum"][0],
            &schema["minimum"],
        ];
        let example = candidates.into_iter().find(|one| !one.is_null());
        example.map(plain).unwrap_or_default()
    }
}

/// Returns an example as people read it: a text as it is, and everything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            format!("{value:#}")
        }
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn first_example<'a>(document: &'a Value, content: &'a Value) -> Option<(&'a str, &'a Value)> {
    let (kind, body) = members(content).next()?;
    let example = members(&body["examples"]).next();
    let example = example.map(|(_, one)| &resolved(document, one)["value"]);
    Some((kind, example.unwrap_or(&NOTHING)))
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members: Option<&Map<String, Value>> = value.as_object();
    members
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
}

/// Follows a reference inside the document.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str();
    let pointer = target.and_then(|target| target.strip_prefix('#'));
    pointer
        .and_then(|pointer| document.pointer(pointer))
        .map_or(value, |found| resolved(document, found))
}
