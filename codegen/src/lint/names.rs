//! Names of the document, which must be valid and different in Rust too.

use std::collections::BTreeMap;

use crate::enums;
use crate::names::{pascal, snake};

/// Names that generated code already uses.
const TAKEN: [&str; 8] = [
    "Box", "None", "Ok", "Option", "Result", "Secret", "String", "Vec",
];

/// Pairs of names that become one after `change`.
pub fn collisions<'n>(
    names: impl Iterator<Item = &'n str>,
    change: impl Fn(&str) -> String,
) -> Vec<(String, String)> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names {
        if let Some(earlier) = seen.insert(change(name), name) {
            found.push((earlier.to_owned(), name.to_owned()));
        }
    }
    found
}

/// Whether a component may have this name.
pub fn is_component(name: &str) -> bool {
    is_identifier(name) && pascal(name) == name && !TAKEN.contains(&name)
}

/// Whether a word can be a variant.
pub fn is_word(word: &str) -> bool {
    let variant = pascal(word);
    is_identifier(&variant) && variant != enums::UNKNOWN
}

/// Whether a name on the wire can be a field.
pub fn is_member(name: &str) -> bool {
    is_identifier(&snake(name))
}

/// `payments_create`: lower case, at least two words.
pub fn is_operation(name: &str) -> bool {
    name.contains('_') && snake(name) == name && is_identifier(name)
}

fn is_identifier(name: &str) -> bool {
    syn::parse_str::<proc_macro2::Ident>(name).is_ok()
}
