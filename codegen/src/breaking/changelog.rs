//! Checks that the change log names every change.

use std::collections::BTreeSet;

use super::Change;

/// Returns the changes that no new line of the change log names. A line is new if the release's change log doesn't have it.
pub fn unnamed<'c>(changes: &'c [Change], released: &str, now: &str) -> Vec<&'c Change> {
    let known: BTreeSet<&str> = released.lines().collect();
    let new: Vec<&str> = now.lines().filter(|line| !known.contains(line)).collect();
    let is_named = |change: &&Change| {
        let mut names = change.names.iter();
        names.any(|name| new.iter().any(|line| has_word(line, name)))
    };
    changes.iter().filter(|change| !is_named(change)).collect()
}

/// Returns whether the line has the name as a word of its own.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
