//! Values at each bound of a schema, and each word of its enumeration.

use serde_json::{Map, Value, json};

use crate::schema::{LONG_LIST, takes_text};

/// A valid change to a request that reaches a bound.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The change in words, such as `as long as 64`.
    pub what: String,
    /// The schema's keyword that permits it.
    pub word: &'static str,
    pub value: Value,
}

/// Longer than any body may be.
const LONGEST: u64 = 20_000;

/// Returns one value for each bound and each word of a member's schema, after following its references. A list of
/// reference gives only its first word.
pub(super) fn values_of(schema: &Value) -> Vec<Reach> {
    let mut all = Vec::new();
    let mut add = |word: &'static str, what: String, value: Value| {
        all.push(Reach { what, word, value });
    };
    let words = schema["enum"].as_array().map_or(&[][..], Vec::as_slice);
    let shown = if words.len() > LONG_LIST {
        &words[..1]
    } else {
        words
    };
    for word in shown.iter().filter(|word| !word.is_null()) {
        add("enum", format!("that is {word}"), word.clone());
    }
    let size = |word: &str| schema[word].as_u64().filter(|size| *size < LONGEST);
    match schema["type"].as_str() {
        Some("string") if words.is_empty() => {
            for (word, how) in [("maxLength", "long"), ("minLength", "short")] {
                let length = size(word).filter(|length| *length > 0);
                if let Some((length, text)) = length.and_then(|n| Some((n, text(schema, n)?))) {
                    add(word, format!("as {how} as {length}"), text.into());
                }
            }
        }
        Some("integer" | "number") => {
            for (word, how) in [("maximum", "large"), ("minimum", "small")] {
                if let Some(bound) = schema[word].as_i64() {
                    add(word, format!("as {how} as {bound}"), json!(bound));
                }
            }
        }
        Some("object") => {
            if let Some(most) = size("maxProperties").filter(|_| schema["properties"].is_null()) {
                let many = (0..most).map(|n| (format!("n{n}"), json!("1")));
                let many: Map<String, Value> = many.collect();
                add("maxProperties", format!("of {most} members"), many.into());
            }
        }
        Some(_) | None => {}
    }
    all
}

/// Returns a text of this length that the schema accepts; `None` if its pattern isn't simple.
fn text(schema: &Value, length: u64) -> Option<String> {
    let length = usize::try_from(length).ok()?;
    let starts = ["", "https://shop.example/"].into_iter();
    let mut texts = starts.flat_map(|start| {
        let rest = length.saturating_sub(start.len());
        ["1", "a", "A"].map(|letter| format!("{start}{}", letter.repeat(rest)))
    });
    texts.find(|text| text.len() == length && takes_text(schema, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_and_each_word_is_reached_once() {
        let told = |schema: Value| -> Vec<(&str, Value)> {
            let all = values_of(&schema).into_iter();
            all.map(|one| (one.word, one.value)).collect()
        };
        assert_eq!(
            told(json!({ "type": "string", "minLength": 2, "maxLength": 3, "pattern": "^a+$" })),
            [("maxLength", json!("aaa")), ("minLength", json!("aa"))]
        );
        assert_eq!(
            told(json!({ "type": "integer", "minimum": -1, "maximum": 4 })),
            [("maximum", json!(4)), ("minimum", json!(-1))]
        );
        assert_eq!(
            told(json!({ "type": "string", "enum": ["open", "closed", null], "nullable": true })),
            [("enum", json!("open")), ("enum", json!("closed"))]
        );
    }
}
