//! Checks the document's names, which must be valid and distinct in Rust too.

use std::collections::BTreeMap;

use crate::enums;
use crate::names::{pascal, snake};

/// Names in use by generated code.
const TAKEN: [&str; 8] = [
    "Box", "None", "Ok", "Option", "Result", "Secret", "String", "Vec",
];

/// Returns pairs of names that become equal after `change`.
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

/// Returns whether a component may have this name.
pub fn is_component(name: &str) -> bool {
    is_identifier(name) && pascal(name) == name && !TAKEN.contains(&name)
}

/// Returns whether a word can be a variant.
pub fn is_word(word: &str) -> bool {
    let variant = pascal(word);
    is_identifier(&variant) && variant != enums::UNKNOWN
}

/// Returns whether a name on the wire can be a field.
pub fn is_member(name: &str) -> bool {
    is_identifier(&snake(name))
}

/// Returns whether a name has the form of `payments_create`: lower case, at least two words.
pub fn is_operation(name: &str) -> bool {
    name.contains('_') && snake(name) == name && is_identifier(name)
}

fn is_identifier(name: &str) -> bool {
    syn::parse_str::<proc_macro2::Ident>(name).is_ok()
}
