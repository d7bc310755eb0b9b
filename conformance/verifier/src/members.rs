//! The members of answers that a run has seen with a value. Others were never checked.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::document::{Operation, operations, resolved, target};
use crate::schema::has_tag;

/// Members by their pointer in the document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    seen: BTreeSet<String>,
}

impl Members {
    /// Records the members of a successful answer.
    pub fn note(&mut self, operation: &Operation, answer: &Value) {
        if let Some(schema) = answer_schema(operation) {
            self.walk(&schema, answer);
        }
    }

    fn walk(&mut self, pointer: &str, value: &Value) {
        let (pointer, schema) = resolved(pointer);
        for (index, variant) in list(&schema["oneOf"]).iter().enumerate() {
            if has_tag(variant, value) {
                self.walk(&format!("{pointer}/oneOf/{index}"), value);
            }
        }
        match value {
            Value::Object(members) => {
                for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                    let known = format!("{pointer}/properties/{name}");
                    if schema["properties"].get(name).is_some() {
                        self.walk(&known, value);
                        self.seen.insert(known);
                    } else if schema["additionalProperties"].is_object() {
                        self.walk(&format!("{pointer}/additionalProperties"), value);
                    }
                }
            }
            Value::Array(items) if schema["items"].is_object() => {
                let at = format!("{pointer}/items");
                items.iter().for_each(|item| self.walk(&at, item));
            }
            Value::Array(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_) => {}
        }
    }

    /// Returns how many of the document's members were seen, and how many there are.
    pub fn share(&self) -> (usize, usize) {
        let all = all();
        (all.intersection(&self.seen).count(), all.len())
    }
}

/// Returns every member of every successful answer.
fn all() -> BTreeSet<String> {
    let (mut found, mut walked) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations() {
        if let Some(schema) = answer_schema(operation) {
            collect(&schema, &mut found, &mut walked);
        }
    }
    found
}

fn collect(pointer: &str, found: &mut BTreeSet<String>, walked: &mut BTreeSet<String>) {
    let (pointer, schema) = resolved(pointer);
    if !walked.insert(pointer.clone()) {
        return;
    }
    for index in 0..list(&schema["oneOf"]).len() {
        collect(&format!("{pointer}/oneOf/{index}"), found, walked);
    }
    for name in schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(|all| all.keys())
    {
        let member = format!("{pointer}/properties/{name}");
        collect(&member, found, walked);
        found.insert(member);
    }
    for inner in ["items", "additionalProperties"] {
        if schema[inner].is_object() {
            collect(&format!("{pointer}/{inner}"), found, walked);
        }
    }
}

/// Returns the pointer to the schema of the successful answer; `None` if it isn't JSON.
fn answer_schema(operation: &Operation) -> Option<String> {
    let written = &operation.text()["responses"]["200"];
    let own = format!("{}/responses/200", operation.pointer());
    let at = target(written).map_or(own, str::to_owned);
    let schema = format!("{at}/content/application~1json/schema");
    crate::document::document().pointer(&schema)?;
    Some(schema)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::operation;

    #[test]
    fn a_member_counts_once_it_had_a_value() {
        let mut members = Members::default();
        let (none, all) = members.share();
        assert_eq!(none, 0);
        assert!(all > 1000, "{all}");
        let refund = json!({ "refund_id": "ref_1", "reason": null, "metadata": { "a": 1 } });
        members.note(operation("refunds_retrieve"), &refund);
        let of_refund = "/components/schemas/Refund/properties";
        assert!(members.seen.contains(&format!("{of_refund}/refund_id")));
        assert!(!members.seen.contains(&format!("{of_refund}/reason")));
        assert_eq!(members.share(), (2, all));
        // Every entry of a list counts, and of variants the one with the tag.
        let session =
            json!({ "session_token": [{ "wallet_name": "paypal", "connector": "fauxpay" }] });
        members.note(operation("payments_session_tokens"), &session);
        assert_eq!(members.share(), (5, all));
    }
}
