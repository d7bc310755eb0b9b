//! Permissions of a schema that no recorded value uses.

use std::collections::BTreeSet;

use serde_json::Value;

use super::places::escape;
use multirail_verifier::schema::{LONG_LIST, has_tag, referred};

/// Returns the pointer of each place and the permission that was never used there. `values` are the recorded values of the
/// schema.
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
    let variants = schema["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, variant) in variants.iter().enumerate() {
        let is_of_it =
            |value: &&Value| has_tag(variant, value) && !is_closer(variants, variant, value);
        let of_it: Vec<&Value> = there.iter().copied().filter(is_of_it).collect();
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

/// Returns whether another variant with an object's tag is closer to it: has all of its members, and fewer others.
fn is_closer(variants: &[Value], variant: &Value, value: &Value) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    // Members that it has besides; `None` if it lacks one of the object's.
    let besides = |variant: &Value| {
        let known = variant["properties"].as_object()?;
        let has_all = members.keys().all(|name| known.contains_key(name));
        has_all.then(|| known.len() - members.len())
    };
    let own = besides(variant);
    let others = variants.iter().filter(|other| has_tag(other, value));
    let mut closer = others.filter_map(besides);
    closer.any(|other| own.is_none_or(|own| other < own))
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

    #[test]
    fn of_variants_with_one_tag_the_closest_counts() {
        let tag = json!({ "type": "string", "enum": ["wallet"] });
        let schema = json!({ "oneOf": [
            { "type": "object", "required": ["kind", "name"], "properties": {
                "kind": tag, "name": { "type": "string" }, "amount": { "type": "integer" },
            } },
            { "type": "object", "required": ["kind", "name"], "properties": {
                "kind": tag, "name": { "type": "string" },
            } },
        ] });
        let seen = [
            json!({ "kind": "wallet", "name": "n", "amount": 1 }),
            json!({ "kind": "wallet", "name": "n" }),
        ];
        assert_eq!(
            gaps("", &schema, &seen.iter().collect::<Vec<_>>()),
            BTreeSet::from(["/oneOf/0/properties/amount: never left out".to_owned()])
        );
    }
}
