//! What a schema permits and nobody has seen used.

use std::collections::BTreeSet;

use serde_json::Value;

use super::LONG_LIST;
use super::places::escape;
use super::take_apart::has_tag;
use crate::schema::referred;

/// Each as the pointer of the place and what was never seen there. `values` stood in the place of the schema.
pub fn gaps(root: &str, schema: &Value, values: &[&Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(root, schema, values, &mut found);
    found
}

fn collect(at: &str, schema: &Value, values: &[&Value], found: &mut BTreeSet<String>) {
    let mut miss = |what: &str| {
        found.insert(format!("{at}: {what}"));
    };
    if values.is_empty() {
        miss("never seen");
        return;
    }
    let there: Vec<&Value> = values
        .iter()
        .copied()
        .filter(|value| !value.is_null())
        .collect();
    let may_be_null = schema["nullable"] == true || schema.get("anyOf").is_some();
    if may_be_null && there.len() == values.len() {
        miss("never null");
    }
    if there.is_empty() {
        miss("never more than null");
        return;
    }
    if referred(schema).is_some() {
        return;
    }
    if let Some(words) = schema["enum"]
        .as_array()
        .filter(|words| words.len() <= LONG_LIST)
    {
        for word in words
            .iter()
            .filter(|word| !word.is_null() && !there.contains(word))
        {
            miss(&format!("never {word}"));
        }
    }
    for (index, variant) in schema["oneOf"].as_array().into_iter().flatten().enumerate() {
        let of_it: Vec<&Value> = there
            .iter()
            .copied()
            .filter(|value| has_tag(variant, value))
            .collect();
        collect(&format!("{at}/oneOf/{index}"), variant, &of_it, found);
    }
    let known = schema["properties"].as_object();
    for (name, member) in known.into_iter().flatten() {
        let place = format!("{at}/properties/{}", escape(name));
        let given: Vec<&Value> = there.iter().filter_map(|value| value.get(name)).collect();
        let is_required = schema["required"]
            .as_array()
            .is_some_and(|required| required.iter().any(|one| one == name));
        if !is_required && given.len() == there.len() {
            found.insert(format!("{place}: never left out"));
        }
        collect(&place, member, &given, found);
    }
    if schema["items"].is_object() {
        let items: Vec<&Value> = there
            .iter()
            .filter_map(|value| value.as_array())
            .flatten()
            .collect();
        collect(&format!("{at}/items"), &schema["items"], &items, found);
    }
    let others = &schema["additionalProperties"];
    if others.is_object() {
        let is_other = |name: &String| known.is_none_or(|known| !known.contains_key(name));
        let members = there.iter().filter_map(|value| value.as_object()).flatten();
        let members: Vec<&Value> = members
            .filter(|(name, _)| is_other(name))
            .map(|(_, value)| value)
            .collect();
        collect(
            &format!("{at}/additionalProperties"),
            others,
            &members,
            found,
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_permission_wants_to_be_seen() {
        let schema = json!({
            "type": "object",
            "required": ["status"],
            "properties": {
                "status": { "type": "string", "enum": ["open", "closed"] },
                "note": { "type": "string", "nullable": true },
                "lines": { "type": "array", "items": { "type": "integer" } },
            },
        });
        let seen = [json!({ "status": "open", "note": "n", "lines": [] })];
        let told: Vec<String> = gaps("", &schema, &seen.iter().collect::<Vec<_>>())
            .into_iter()
            .collect();
        assert_eq!(
            told,
            [
                "/properties/lines/items: never seen",
                "/properties/lines: never left out",
                "/properties/note: never left out",
                "/properties/note: never null",
                "/properties/status: never \"closed\"",
            ]
        );
        let more = [
            seen[0].clone(),
            json!({ "status": "closed", "lines": [1] }),
            json!({ "status": "open", "note": null }),
        ];
        assert_eq!(
            gaps("", &schema, &more.iter().collect::<Vec<_>>()),
            BTreeSet::new()
        );
    }
}
