//! The form of an exchange. Exchanges of the same form are redundant, so one is enough.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use serde_json::Value;

use super::Exchange;
use crate::document::document;

impl Exchange {
    /// Hashes everything but the texts that differ from run to run.
    pub(super) fn form(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let names = |pairs: &[(String, String)]| -> Vec<(String, String)> {
            let shown = |(name, text): &(String, String)| (name.clone(), form_of_text(text));
            pairs.iter().map(shown).collect()
        };
        self.operation.hash(&mut hasher);
        names(&self.query).hash(&mut hasher);
        names(&self.headers).hash(&mut hasher);
        self.scheme.hash(&mut hasher);
        self.media_type.hash(&mut hasher);
        self.status.hash(&mut hasher);
        if let Some(body) = &self.body {
            hash_form(body, true, &mut hasher);
        }
        self.code().hash(&mut hasher);
        if self.status == 200 {
            hash_form(&self.answer, false, &mut hasher);
        } else {
            self.message().hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Hashes what a schema can check: names, types, words, and lengths of texts. Numbers count if they are `exact`.
pub fn hash_form(value: &Value, exact: bool, hasher: &mut impl Hasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(is) => (1_u8, is).hash(hasher),
        Value::Number(number) if exact => (2_u8, number.to_string()).hash(hasher),
        Value::Number(number) => {
            (2_u8, number.is_f64(), number.as_i64().map(i64::signum)).hash(hasher)
        }
        Value::String(text) => (3_u8, form_of_text(text)).hash(hasher),
        Value::Array(items) => {
            (4_u8, items.len().min(3)).hash(hasher);
            items.iter().for_each(|item| hash_form(item, exact, hasher));
        }
        Value::Object(members) => {
            (5_u8, members.len()).hash(hasher);
            for (name, member) in members {
                name.hash(hasher);
                hash_form(member, exact, hasher);
            }
        }
    }
}

/// Returns words and listed values unchanged, and the length of any other text.
fn form_of_text(text: &str) -> String {
    let is_word = text.len() <= 48
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match is_word || listed().contains(text) {
        true => text.to_owned(),
        false => format!("#{}", text.chars().count()),
    }
}

/// Returns the words of the document's enumerations.
fn listed() -> &'static HashSet<&'static str> {
    static LISTED: OnceLock<HashSet<&str>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let mut words = HashSet::new();
        collect_words(document(), &mut words);
        words
    })
}

fn collect_words<'d>(value: &'d Value, words: &mut HashSet<&'d str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        Value::Object(members) => {
            let list = members.get("enum").and_then(Value::as_array);
            words.extend(list.into_iter().flatten().filter_map(Value::as_str));
            members
                .values()
                .for_each(|member| collect_words(member, words));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_word_is_itself_also_where_it_has_a_digit() {
        assert_eq!(form_of_text("layout2"), "layout2");
        assert_eq!(form_of_text("table17"), "#7");
    }
}
