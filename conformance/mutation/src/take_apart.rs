//! Takes a value apart by its schema: the values of each stand-alone schema in it.

use serde_json::{Map, Value};

use super::places::component;
use multirail_verifier::schema::{has_tag, referred};

/// The pointer of a stand-alone schema, and its value. The values of its references are replaced by `true`, which stands
/// for anything but null.
pub type Piece = (String, Value);

/// Returns the pieces of a value. In an answer, only the variants with the value's tag count.
pub fn take_apart(document: &Value, root: &str, schema: &Value, value: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    piece(document, root, schema, value, &mut pieces);
    pieces
}

fn piece(document: &Value, root: &str, schema: &Value, value: &Value, pieces: &mut Vec<Piece>) {
    let index = pieces.len();
    // Before its contents.
    pieces.push((root.to_owned(), Value::Null));
    let cut = cut(document, schema, value, pieces);
    pieces[index].1 = cut;
}

/// Returns the value without the values of references, whose pieces are added.
fn cut(document: &Value, schema: &Value, value: &Value, pieces: &mut Vec<Piece>) -> Value {
    if value.is_null() {
        return Value::Null;
    }
    if let Some(name) = referred(schema) {
        let target = &document["components"]["schemas"][name];
        piece(document, &component(name), target, value, pieces);
        return Value::Bool(true);
    }
    for word in ["allOf", "anyOf"] {
        if let Some(first) = schema[word].get(0) {
            return cut(document, first, value, pieces);
        }
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        let with_its_tag = variants.iter().filter(|variant| has_tag(variant, value));
        let mut whole = value.clone();
        for variant in with_its_tag {
            whole = cut(document, variant, value, pieces);
        }
        return whole;
    }
    match value {
        Value::Object(members) => {
            let others = &schema["additionalProperties"];
            let cut_member = |(name, member): (&String, &Value)| {
                let known = &schema["properties"][name];
                let schema = if known.is_null() { others } else { known };
                let cut = match schema.is_object() {
                    true => cut(document, schema, member, pieces),
                    false => member.clone(),
                };
                (name.clone(), cut)
            };
            Value::Object(members.iter().map(cut_member).collect::<Map<_, _>>())
        }
        Value::Array(items) if schema["items"].is_object() => items
            .iter()
            .map(|item| cut(document, &schema["items"], item, pieces))
            .collect(),
        Value::String(text) if schema["x-multirail-any-case"] == true => {
            let mut words = schema["enum"].as_array().into_iter().flatten();
            let own = words.find(|word| {
                word.as_str()
                    .is_some_and(|word| word.eq_ignore_ascii_case(text))
            });
            own.unwrap_or(value).clone()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_schema_refers_to_is_a_piece_of_its_own() {
        let document = json!({ "components": { "schemas": {
            "Order": { "type": "object", "properties": {
                "lines": { "type": "array", "items": { "$ref": "#/components/schemas/Line" } },
                "payer": { "anyOf": [{ "$ref": "#/components/schemas/Payer" }, { "$ref": "#/components/schemas/NoValue" }] },
                "note": { "type": "string" },
            } },
            "Line": { "type": "object", "properties": { "amount": { "type": "integer" } } },
            "Payer": { "type": "string" },
        } } });
        let schema = json!({ "$ref": "#/components/schemas/Order" });
        let value =
            json!({ "lines": [{ "amount": 1 }, { "amount": 2 }], "payer": null, "note": "n" });
        let pieces = take_apart(&document, "/here", &schema, &value);
        let at = |name: &str| format!("/components/schemas/{name}");
        assert_eq!(
            pieces,
            [
                ("/here".to_owned(), json!(true)),
                (
                    at("Order"),
                    json!({ "lines": [true, true], "payer": null, "note": "n" })
                ),
                (at("Line"), json!({ "amount": 1 })),
                (at("Line"), json!({ "amount": 2 })),
            ]
        );
    }
}
