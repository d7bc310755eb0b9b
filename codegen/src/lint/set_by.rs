//! Marks that say who sets a member: either all members of an object have one or none, and the table lists each.

use serde_json::Value;

use super::{Lint, Location, has_text};
use crate::document::{items, members};
use crate::set_by::{MARK, NOBODY, WHO, marked};

pub fn check(lint: &mut Lint<'_>) {
    let listed: Vec<&str> = marked(lint.root)
        .into_iter()
        .map(|(_, member)| member.component)
        .collect();
    for (name, schema) in lint.components() {
        if members(&schema["properties"]).all(|(_, member)| member.get(MARK).is_none()) {
            continue;
        }
        let location = Location::schema(name);
        if !listed.contains(&name) {
            lint.find(
                &location,
                format!("`{MARK}` marks members that no payment has"),
                "remove the marks, or mark the member of a payment that leads here",
            );
        }
        for (member, schema) in members(&schema["properties"]) {
            let here = location.below(&format!("properties/{member}"));
            match schema.get(MARK) {
                Some(mark) => form(lint, &here, mark),
                None => lint.find(
                    &here,
                    format!("`{MARK}` is missing, which its neighbours have"),
                    "say who sets the member, from what, and since which version",
                ),
            }
        }
    }
}

fn form(lint: &mut Lint<'_>, location: &Location, mark: &Value) {
    let who: Vec<&str> = items(&mark["who"]).filter_map(Value::as_str).collect();
    let is_nobody = who == [NOBODY];
    if who.is_empty()
        || who.iter().any(|one| !WHO.contains(one))
        || (who.contains(&NOBODY) && !is_nobody)
    {
        lint.find(
            location,
            format!("`{MARK}` doesn't say who sets it"),
            format!(
                "write `who` as a list of {}, the first who says something first, or `[{NOBODY}]`",
                WHO[..WHO.len() - 1].join(", ")
            ),
        );
    }
    if !has_text(&mark["from"]) {
        lint.find(
            location,
            format!("`{MARK}` doesn't say from what"),
            "write `from`: what the member is made of, or what it waits for",
        );
    }
    let current = lint.root["info"]["version"].as_str().and_then(version);
    let since = mark["since"].as_str().and_then(version);
    if is_nobody && mark.get("since").is_some() {
        lint.find(
            location,
            format!("`{MARK}` says since when nobody sets it"),
            "remove `since` until somebody does",
        );
    }
    if !is_nobody && (since.is_none() || since > current) {
        lint.find(
            location,
            format!("`{MARK}` doesn't say since which version"),
            "write `since` with a version like 0.1.0, the document's own at most",
        );
    }
    for (word, _) in members(mark) {
        if !["group", "who", "from", "since"].contains(&word) {
            lint.find(
                location,
                format!("`{MARK}` says `{word}`"),
                "use `group`, `who`, `from` and `since`",
            );
        }
    }
}

/// Parses `0.1.0` to its three numbers.
fn version(text: &str) -> Option<[u32; 3]> {
    let numbers: Vec<u32> = text
        .split('.')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    numbers.try_into().ok()
}
