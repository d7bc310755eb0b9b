//! Schemas of OpenAPI 3.0 as JSON Schema.

use serde_json::{Map, Value, json};

const COMPONENTS: &str = "#/components/schemas/";
/// Members that JSON Schema doesn't know, or that only lengthen a tool.
const DROPPED: [&str; 3] = ["discriminator", "example", "nullable"];

/// Returns the referenced value, or the value itself.
pub(super) fn resolve<'a>(document: &'a Value, value: &'a Value) -> Result<&'a Value, String> {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
        return Ok(value);
    };
    let found = reference
        .strip_prefix('#')
        .and_then(|place| document.pointer(place));
    found.ok_or_else(|| format!("{reference} leads nowhere"))
}

/// Converts schemas, and remembers the components that they need.
pub(super) struct Schemas<'a> {
    document: &'a Value,
    /// The names of components, in the order of their first use.
    needed: Vec<String>,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self {
            document,
            needed: Vec::new(),
        }
    }

    /// Converts a schema. References lead to `$defs`.
    pub(super) fn convert(&mut self, schema: &Value) -> Value {
        let Some(members) = schema.as_object() else {
            return schema.clone();
        };
        let mut converted = Map::new();
        for (name, value) in members {
            if name.starts_with("x-") || DROPPED.contains(&name.as_str()) {
                continue;
            }
            converted.insert(name.clone(), self.member(name, value));
        }
        if members.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(converted)
        } else {
            Value::Object(converted)
        }
    }

    fn member(&mut self, name: &str, value: &Value) -> Value {
        match (name, value) {
            ("$ref", Value::String(reference)) => match reference.strip_prefix(COMPONENTS) {
                Some(component) => {
                    if !self.needed.iter().any(|one| one == component) {
                        self.needed.push(component.to_owned());
                    }
                    json!(format!("#/$defs/{component}"))
                }
                None => value.clone(),
            },
            ("properties", Value::Object(properties)) => {
                let converted = properties
                    .iter()
                    .map(|(name, schema)| (name.clone(), self.convert(schema)));
                Value::Object(converted.collect())
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                schemas.iter().map(|schema| self.convert(schema)).collect()
            }
            ("items" | "additionalProperties" | "not", schema) => self.convert(schema),
            (_, other) => other.clone(),
        }
    }

    /// Returns all components that the converted schemas need, and those that these need.
    pub(super) fn into_definitions(mut self) -> Result<Map<String, Value>, String> {
        let mut definitions = Map::new();
        let mut next = 0;
        while let Some(name) = self.needed.get(next).cloned() {
            let schema = self.document["components"]["schemas"].get(&name);
            let schema = schema.ok_or_else(|| format!("there is no schema {name}"))?;
            let converted = self.convert(schema);
            definitions.insert(name, converted);
            next += 1;
        }
        Ok(definitions)
    }
}

/// Returns a schema that also allows null.
fn allow_null(mut schema: Map<String, Value>) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum")
        && !words.contains(&Value::Null)
    {
        words.push(Value::Null);
    }
    match schema.remove("type") {
        Some(kind) => {
            schema.insert("type".to_owned(), json!([kind, "null"]));
            Value::Object(schema)
        }
        None => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}
