//! Outlines of the document's schemas as JSON Schema. The whole schemas of all operations have a megabyte, which a model
//! would have to read before the first question.

use serde_json::{Map, Value, json};

const NO_VALUE: &str = "#/components/schemas/NoValue";
/// The most words of an enumeration that an outline of types has.
const MOST_WORDS: usize = 8;
/// Words of a schema that no outline has. Without its members, an object would be closed by `additionalProperties`.
const DROPPED: [&str; 4] = [
    "additionalProperties",
    "discriminator",
    "example",
    "nullable",
];

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

/// The detail of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Types and short enumerations.
    Types,
    /// Descriptions and bounds too.
    Everything,
}

/// Writes outlines of schemas.
#[derive(Clone, Copy)]
pub(super) struct Outliner<'a> {
    pub(super) document: &'a Value,
    pub(super) detail: Detail,
}

impl<'a> Outliner<'a> {
    /// Returns a schema with so many levels of members.
    ///
    /// # Errors
    /// A reference that leads nowhere.
    pub(super) fn outline(
        self,
        schema: &'a Value,
        levels: usize,
    ) -> Result<Map<String, Value>, String> {
        let mut outline = match self.target(schema)? {
            Some(target) => {
                let mut outline = self.outline(target, levels)?;
                if let (Detail::Everything, Some(about)) = (self.detail, schema.get("description"))
                {
                    outline.insert("description".to_owned(), about.clone());
                }
                outline
            }
            None => self.words(schema, levels)?,
        };
        if allows_null(schema) {
            allow_null(&mut outline);
        }
        Ok(outline)
    }

    /// Returns the schema of a member of an object, or of the objects in a list.
    pub(super) fn member(self, schema: &'a Value, name: &str) -> Result<Option<&'a Value>, String> {
        match (self.target(schema)?, schema.get("items")) {
            (Some(target), _) => self.member(target, name),
            (None, Some(items)) => self.member(items, name),
            (None, None) => Ok(schema["properties"].get(name)),
        }
    }

    /// Returns the schema for which another one stands: a reference, or the alternative to null.
    fn target(self, schema: &'a Value) -> Result<Option<&'a Value>, String> {
        let parts = |word: &str| schema.get(word).and_then(Value::as_array);
        if schema.get("$ref").is_some() {
            return resolve(self.document, schema).map(Some);
        }
        match (
            parts("allOf").map(Vec::as_slice),
            parts("anyOf").map(Vec::as_slice),
        ) {
            (Some([part]), _) => Ok(Some(part)),
            (_, Some([part, null])) if is_no_value(null) => Ok(Some(part)),
            (Some(_) | None, Some(_) | None) => Ok(None),
        }
    }

    fn words(self, schema: &'a Value, levels: usize) -> Result<Map<String, Value>, String> {
        let mut outline = Map::new();
        for (word, value) in schema.as_object().into_iter().flatten() {
            if let Some(value) = self.word(word, value, levels)? {
                outline.insert(word.clone(), value);
            }
        }
        Ok(outline)
    }

    /// Returns the value of a word in the outline, if it has the word.
    fn word(self, word: &str, value: &'a Value, levels: usize) -> Result<Option<Value>, String> {
        let deeper = levels.checked_sub(1);
        let outlined = match (word, value, deeper) {
            ("properties", Value::Object(members), Some(deeper)) => {
                let members = members.iter().map(|(name, schema)| {
                    let outline = self.outline(schema, deeper)?;
                    Ok::<_, String>((name.clone(), Value::Object(outline)))
                });
                Some(Value::Object(members.collect::<Result<Map<_, _>, _>>()?))
            }
            ("items", schema, Some(deeper)) => Some(Value::Object(self.outline(schema, deeper)?)),
            ("required", names, Some(_)) => Some(names.clone()),
            ("properties" | "items" | "required", _, _) => None,
            ("type", kind, _) => Some(kind.clone()),
            ("enum", Value::Array(words), _) if words.len() <= MOST_WORDS => Some(value.clone()),
            (other, value, _) => {
                let is_dropped = other.starts_with("x-") || DROPPED.contains(&other);
                (self.detail == Detail::Everything && !is_dropped).then(|| value.clone())
            }
        };
        Ok(outlined)
    }
}

fn is_no_value(schema: &Value) -> bool {
    schema.get("$ref").and_then(Value::as_str) == Some(NO_VALUE)
}

fn allows_null(schema: &Value) -> bool {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    let mut alternatives = alternatives.into_iter().flatten();
    schema.get("nullable") == Some(&Value::Bool(true)) || alternatives.any(is_no_value)
}

/// Makes a schema allow null too. One without a type does already.
fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(kind @ Value::String(_)) = schema.get("type").cloned() {
        schema.insert("type".to_owned(), json!([kind, "null"]));
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum")
        && !words.contains(&Value::Null)
    {
        words.push(Value::Null);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        json!({ "components": { "schemas": {
            "NoValue": { "type": "string", "nullable": true, "enum": [null] },
            "Order": { "type": "object", "required": ["amount"], "additionalProperties": false, "properties": {
                "amount": { "type": "integer", "format": "int64", "minimum": 0, "description": "Minor units." },
                "mode": { "type": "string", "nullable": true, "enum": ["a", "b"], "x-note": 1 },
                "lines": { "type": "array", "items": { "$ref": "#/components/schemas/Order" } },
                "next": { "description": "The next one.", "anyOf": [
                    { "$ref": "#/components/schemas/Order" }, { "$ref": "#/components/schemas/NoValue" },
                ] },
            } },
        } } })
    }

    fn outline(detail: Detail, levels: usize) -> Value {
        let document = document();
        let order = json!({ "$ref": "#/components/schemas/Order" });
        let outliner = Outliner {
            document: &document,
            detail,
        };
        Value::Object(outliner.outline(&order, levels).expect("an outline"))
    }

    #[test]
    fn an_outline_has_types_to_a_level() {
        assert_eq!(outline(Detail::Types, 0), json!({ "type": "object" }));
        let expected = json!({ "type": "object", "required": ["amount"], "properties": {
            "amount": { "type": "integer" },
            "mode": { "type": ["string", "null"], "enum": ["a", "b", null] },
            "lines": { "type": "array" },
            "next": { "type": ["object", "null"] },
        } });
        assert_eq!(outline(Detail::Types, 1), expected);
    }

    #[test]
    fn everything_is_described_on_request() {
        let whole = outline(Detail::Everything, 1);
        let amount = json!({
            "type": "integer", "format": "int64", "minimum": 0, "description": "Minor units.",
        });
        assert_eq!(whole["properties"]["amount"], amount);
        let next = json!({ "type": ["object", "null"], "description": "The next one." });
        assert_eq!(whole["properties"]["next"], next);
    }

    #[test]
    fn a_member_is_found_behind_references_and_in_lists() {
        let document = document();
        let outliner = Outliner {
            document: &document,
            detail: Detail::Types,
        };
        let order = &document["components"]["schemas"]["Order"];
        let member = |schema, name| outliner.member(schema, name).expect("resolved");
        let lines = member(order, "lines").expect("a member");
        let next = member(lines, "next").expect("a member of the items");
        assert!(member(next, "amount").is_some());
        assert!(member(next, "surplus").is_none());
    }
}
