//! Values just outside of each bound of a schema.

use serde_json::{Map, Value, json};

/// A change to a valid request that breaks one bound.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    /// The change in words, such as `longer than 64`.
    pub what: String,
    /// The schema's keyword that forbids it.
    pub word: &'static str,
    pub value: Value,
    /// Whether a rule of the server checks it. Other checks may come first.
    pub by_rules: bool,
}

/// Longer than any body may be.
const LONGEST: u64 = 20_000;

/// Returns one breach for each bound of a member's schema, after following its references.
pub(super) fn breaches_of(schema: &Value) -> Vec<Breach> {
    let judged = schema["x-multirail-judged-by-rules"].as_array();
    let by_rules = |word: &str| judged.is_some_and(|words| words.contains(&Value::from(word)));
    let mut breaches = Vec::new();
    let mut add = |word: &'static str, what: String, value: Value| {
        breaches.push(Breach {
            by_rules: by_rules(word),
            what,
            word,
            value,
        });
    };
    let whole = |word: &str| schema[word].as_i64();
    let size = |word: &str| schema[word].as_u64().filter(|size| *size < LONGEST);
    let kind = schema["type"].as_str().unwrap_or_default();
    if let Some(other) = another_type(kind) {
        add("type", format!("no {kind}"), other);
    }
    if schema["enum"].is_array() && kind == "string" {
        add("enum", "an unknown word".to_owned(), json!("no_such_word"));
    }
    match kind {
        "string" => {
            if let Some(most) = size("maxLength") {
                let long = "1".repeat(usize::try_from(most + 1).unwrap_or_default());
                add("maxLength", format!("longer than {most}"), long.into());
            }
            if let Some(least) = size("minLength").filter(|least| *least > 0) {
                let short = "1".repeat(usize::try_from(least - 1).unwrap_or_default());
                add("minLength", format!("shorter than {least}"), short.into());
            }
            if schema["pattern"].is_string() {
                let odd = json!("b a/d\u{1f}!");
                add("pattern", "of another form".to_owned(), odd);
            }
            if schema["format"] == "date-time" {
                add("format", "no moment".to_owned(), json!("yesterday"));
            }
        }
        "integer" | "number" => {
            if let Some(most) = whole("maximum").and_then(|most| most.checked_add(1)) {
                add("maximum", format!("above {}", most - 1), json!(most));
            }
            if let Some(least) = whole("minimum").and_then(|least| least.checked_sub(1)) {
                add("minimum", format!("below {}", least + 1), json!(least));
            }
            if kind == "integer" {
                add("type", "a broken number".to_owned(), json!(1.5));
            }
            match schema["format"].as_str() {
                Some("int32") => {
                    let most = i64::from(i32::MAX) + 1;
                    add("format", "more than 32 bits".to_owned(), json!(most));
                }
                Some("int64") => {
                    let most = u64::try_from(i64::MAX).unwrap_or_default() + 1;
                    add("format", "more than 64 bits".to_owned(), json!(most));
                }
                Some(_) | None => {}
            }
        }
        "object" => {
            if let Some(most) = size("maxProperties") {
                let names = 0..=most;
                let many = names.map(|n| (format!("n{n}"), json!("1")));
                let many: Map<String, Value> = many.collect();
                add(
                    "maxProperties",
                    format!("more than {most} members"),
                    many.into(),
                );
            }
        }
        _ => {}
    }
    breaches
}

fn another_type(kind: &str) -> Option<Value> {
    match kind {
        "string" => Some(json!(7)),
        "integer" | "number" => Some(json!("seven")),
        "boolean" => Some(json!("yes")),
        "object" | "array" => Some(json!("text")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_broken_once() {
        let schema = json!({
            "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^a+$",
            "x-multirail-judged-by-rules": ["maxLength"],
        });
        let told = breaches_of(&schema)
            .into_iter()
            .map(|one| (one.word, one.value, one.by_rules));
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                ("type", json!(7), false),
                ("maxLength", json!("1111"), true),
                ("minLength", json!("1"), false),
                ("pattern", json!("b a/d\u{1f}!"), false),
            ]
        );
        let words: Vec<_> =
            breaches_of(&json!({ "type": "integer", "format": "int32", "minimum": 1 }))
                .into_iter()
                .map(|one| one.word)
                .collect();
        assert_eq!(words, ["type", "minimum", "type", "format"]);
    }
}
