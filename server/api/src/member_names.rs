//! The names of the document's members, by the values that they may hold.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::schema::{document, is_secret, resolve};

/// Returns whether the document has a member of this name.
pub fn is_member(name: &str) -> bool {
    NAMES.all.contains(name)
}

/// Returns whether a text is the name of a parameter, a word of an enumeration or a pattern of the document.
pub fn is_term(text: &str) -> bool {
    NAMES.terms.contains(text)
}

/// Returns whether a member of this name is a free object somewhere in the document, so that callers choose its names.
pub fn is_free(name: &str) -> bool {
    NAMES.free.contains(name)
}

/// Returns whether every member of this name holds only words of an enumeration, numbers or times.
pub fn is_coded(name: &str) -> bool {
    NAMES.coded.contains(name)
}

#[derive(Default)]
struct Names {
    all: HashSet<&'static str>,
    free: HashSet<&'static str>,
    coded: HashSet<&'static str>,
    texts: HashSet<&'static str>,
    terms: HashSet<&'static str>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names::default();
    names.gather(document());
    let Names { coded, texts, .. } = &mut names;
    coded.retain(|name| !texts.contains(name) && !is_secret(name));
    names
});

impl Names {
    fn gather(&mut self, part: &'static Value) {
        match part {
            Value::Object(members) => {
                let properties = members.get("properties").and_then(Value::as_object);
                for (name, schema) in properties.into_iter().flatten() {
                    self.add(name, schema);
                }
                self.add_terms(members);
                members.values().for_each(|part| self.gather(part));
            }
            Value::Array(parts) => parts.iter().for_each(|part| self.gather(part)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn add_terms(&mut self, members: &'static Map<String, Value>) {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        self.terms.extend(text("pattern"));
        self.terms.extend(text("in").and_then(|_| text("name")));
        let words = members.get("enum").and_then(Value::as_array);
        let words = words.into_iter().flatten().filter_map(Value::as_str);
        self.terms.extend(words);
    }

    fn add(&mut self, name: &'static str, schema: &'static Value) {
        self.all.insert(name);
        let schema = resolve(schema);
        let one = schema.get("items").map_or(schema, resolve);
        let kind = one["type"].as_str();
        let is_composed = ["properties", "oneOf", "allOf", "anyOf"]
            .iter()
            .any(|part| one.get(part).is_some());
        let is_coded = one.get("enum").is_some() || one["format"] == "date-time";
        match kind {
            _ if is_coded => self.coded.insert(name),
            Some("integer" | "number" | "boolean") => self.coded.insert(name),
            Some("string") => self.texts.insert(name),
            _ if is_composed => false,
            _ => self.free.insert(name),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_by_their_values() {
        for coded in [
            "amount_received",
            "currency",
            "capture_method",
            "requested_at",
        ] {
            assert!(is_member(coded) && is_coded(coded), "{coded}");
        }
        for text in [
            "card_number",
            "card_cvc",
            "email",
            "line1",
            "client_secret",
            "description",
        ] {
            assert!(is_member(text) && !is_coded(text), "{text}");
        }
        for free in ["metadata", "connector_metadata"] {
            assert!(is_free(free), "{free}");
        }
        assert!(!is_free("card") && !is_free("payment_method_data"));
        assert!(!is_member("capture_metod"));
        for term in ["manual", "requested_at.gte"] {
            assert!(is_term(term), "{term}");
        }
        assert!(!is_term("Ada"));
    }
}
