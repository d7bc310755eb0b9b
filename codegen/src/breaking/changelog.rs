//! Whether the change log names what changed.

use std::collections::BTreeSet;

use super::Change;

/// The changes that no new line of the change log names. New is a line that the change log of the release has not.
pub fn unnamed<'c>(changes: &'c [Change], released: &str, now: &str) -> Vec<&'c Change> {
    let known: BTreeSet<&str> = released.lines().collect();
    let new: Vec<&str> = now.lines().filter(|line| !known.contains(line)).collect();
    let is_named = |change: &&Change| {
        let mut names = change.names.iter();
        names.any(|name| new.iter().any(|line| has_word(line, name)))
    };
    changes.iter().filter(|change| !is_named(change)).collect()
}

/// Whether the line has the name as a word of its own.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
