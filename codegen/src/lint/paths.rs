//! Path templates: plain segments, and declared variables with the same name at the same place.

use serde_json::Value;

use super::{Lint, Location, names};
use crate::document::{METHODS, items, members, resolve, variables};

pub fn check(lint: &mut Lint<'_>) {
    let root = lint.root;
    let all: Vec<(&str, &Value)> = members(&root["paths"]).collect();
    for (position, (path, item)) in all.iter().enumerate() {
        let location = Location::path(path);
        if item.get("$ref").is_some() {
            lint.find(
                &location,
                "the path item is a reference",
                "write the operations here; progenitor reads no references",
            );
        }
        for segment in path.split('/').skip(1) {
            if !is_segment(segment) {
                lint.find(
                    &location,
                    format!("the segment `{segment}` isn't plain"),
                    "use lower case letters, digits and `_`, or one whole variable in braces",
                );
            }
        }
        for (other, _) in &all[..position] {
            if let Some((mine, theirs)) = disagreement(path, other) {
                lint.find(
                    &location,
                    format!("`{{{mine}}}` stands where `{other}` has `{{{theirs}}}`"),
                    "name a variable alike wherever it stands at the same place; dropshot describes them together",
                );
            }
        }
        for (_, operation) in members(item).filter(|(method, _)| METHODS.contains(method)) {
            variables_are_parameters(lint, path, item, operation);
        }
    }
}

fn variables_are_parameters(lint: &mut Lint<'_>, path: &str, item: &Value, operation: &Value) {
    let root = lint.root;
    let location = Location::path(path);
    let declared: Vec<&str> = [item, operation]
        .into_iter()
        .flat_map(|owner| items(&owner["parameters"]))
        .map(|parameter| resolve(root, parameter))
        .filter(|parameter| parameter["in"] == "path")
        .filter_map(|parameter| parameter["name"].as_str())
        .collect();
    let used = variables(path);
    for name in used.iter().filter(|name| !declared.contains(name)) {
        lint.find(
            &location,
            format!("`{{{name}}}` has no parameter"),
            "declare it under `parameters` with `in: path`",
        );
    }
    for name in declared.iter().filter(|name| !used.contains(name)) {
        lint.find(
            &location,
            format!("the path parameter `{name}` isn't in the path"),
            "remove it or put it into the path",
        );
    }
}

fn is_segment(segment: &str) -> bool {
    let plain = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == b'_')
    };
    match segment.strip_prefix('{') {
        Some(rest) => rest
            .strip_suffix('}')
            .is_some_and(|name| plain(name) && names::is_member(name)),
        None => plain(segment),
    }
}

/// Returns the first place where two paths, equal up to there, have variables of different names.
fn disagreement<'p>(one: &'p str, other: &'p str) -> Option<(&'p str, &'p str)> {
    let variable = |segment: &'p str| {
        segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
    };
    for (mine, theirs) in one.split('/').zip(other.split('/')) {
        match (variable(mine), variable(theirs)) {
            (Some(mine), Some(theirs)) if mine != theirs => return Some((mine, theirs)),
            (Some(_), Some(_)) => {}
            _ if mine == theirs => {}
            _ => return None,
        }
    }
    None
}
