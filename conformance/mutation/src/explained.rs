//! The known survivors, each with its reason.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;

use super::change::Mutant;
use super::schemas::taken_away;

/// The text of the list.
const LIST: &str = include_str!("explained.yaml");

/// Reasons why changes at some places are not noticed.
#[derive(Debug)]
pub struct Explained {
    entries: Vec<Entry>,
    /// How many survivors each entry explained.
    used: Mutex<BTreeMap<usize, usize>>,
}

#[derive(Debug)]
struct Entry {
    /// A pointer; `*` at its end stands for any end, `*` before it for any beginning.
    place: String,
    /// The kinds by name; an empty list means all.
    kinds: Vec<String>,
    /// Words of an enumeration; with some, the entry explains only the mutants that remove one of them.
    words: Vec<String>,
    why: String,
}

impl Explained {
    /// Reads the list of this repository.
    ///
    /// # Panics
    /// If an entry has no place or no reason.
    pub fn read() -> Self {
        Self::parse(LIST)
    }

    fn parse(text: &str) -> Self {
        let list: Value = serde_norway::from_str(text).expect("the list is YAML");
        let entry = |entry: &Value| {
            let said = |name: &str| {
                let text = entry[name].as_str();
                text.unwrap_or_else(|| panic!("an entry has no {name}: {entry}"))
                    .to_owned()
            };
            let named = |name: &str| -> Vec<String> {
                let list = entry[name].as_array().into_iter().flatten();
                list.filter_map(|one| Some(one.as_str()?.to_owned()))
                    .collect()
            };
            let (kinds, words) = (named("kinds"), named("words"));
            let places: Vec<String> = match &entry["places"] {
                Value::Array(places) => places
                    .iter()
                    .filter_map(|place| Some(place.as_str()?.to_owned()))
                    .collect(),
                _ => vec![said("place")],
            };
            let why = said("why");
            places
                .into_iter()
                .map(move |place| Entry {
                    place,
                    kinds: kinds.clone(),
                    words: words.clone(),
                    why: why.clone(),
                })
                .collect::<Vec<_>>()
        };
        Self {
            entries: list
                .as_array()
                .into_iter()
                .flatten()
                .flat_map(entry)
                .collect(),
            used: Mutex::default(),
        }
    }

    /// Returns the reason why the mutant is not noticed.
    pub fn why(&self, mutant: &Mutant) -> Option<&str> {
        let is_about = |entry: &Entry| {
            let place = mutant.place.as_str();
            let fits = match (entry.place.strip_suffix('*'), entry.place.strip_prefix('*')) {
                (Some(begins), _) => place.starts_with(begins),
                (None, Some(ends)) => place.ends_with(ends),
                (None, None) => place == entry.place,
            };
            let is_kind = entry.kinds.iter().any(|kind| kind == mutant.kind.name());
            let takes = |word: &String| mutant.what == taken_away(&word.as_str().into());
            fits && (entry.kinds.is_empty() || is_kind)
                && (entry.words.is_empty() || entry.words.iter().any(takes))
        };
        let index = self.entries.iter().position(is_about)?;
        let mut used = self
            .used
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *used.entry(index).or_default() += 1;
        Some(&self.entries[index].why)
    }

    /// Returns the places that explained nothing.
    pub fn unused(&self) -> Vec<&str> {
        let used = self
            .used
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let entries = self.entries.iter().enumerate();
        entries
            .filter(|(index, _)| !used.contains_key(index))
            .map(|(_, entry)| entry.place.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::change::Kind;
    use super::*;

    #[test]
    fn an_entry_is_about_a_place_and_kinds() {
        let explained = Explained::parse(
            "[{ place: /a/b, kinds: [word], why: so }, { place: '/c/*', why: too }, { place: '*/d', why: also }]",
        );
        let mutant = |place: &str, kind| Mutant {
            kind,
            place: place.to_owned(),
            what: String::new(),
            root: None,
            is_judged_by_rules: false,
            changes: Vec::new(),
        };
        assert_eq!(explained.why(&mutant("/a/b", Kind::Word)), Some("so"));
        assert_eq!(explained.why(&mutant("/a/b", Kind::Limit)), None);
        assert_eq!(
            explained.why(&mutant("/c/anything", Kind::Limit)),
            Some("too")
        );
        let of_words = Explained::parse("[{ place: /e, words: [late], why: so }]");
        let taken = |word: &str| Mutant {
            what: taken_away(&word.into()),
            ..mutant("/e", Kind::Word)
        };
        assert_eq!(of_words.why(&taken("early")), None);
        assert_eq!(of_words.why(&taken("late")), Some("so"));
        assert_eq!(explained.unused(), ["*/d"]);
    }

    #[test]
    fn the_list_can_be_read() {
        Explained::read();
    }
}
