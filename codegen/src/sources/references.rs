//! References: each leads straight to a definition, without another reference between.

use super::findings::Lint;
use super::lines::{Reference, escape, unescape};
use super::{ITEM_SECTIONS, Source, Sources, definitions, is_elsewhere};
use crate::document::{items, members};

pub fn check(lint: &mut Lint<'_>) {
    for file in &lint.sources.files {
        for reference in &file.lines.references {
            // A listed path that leads to another name is a finding of `lint::targets`.
            if !is_listed(&reference.owner) || reference.target.ends_with(&reference.owner) {
                one(lint, file, reference);
            }
        }
        schemes(lint, file);
    }
}

/// Returns whether a place is a whole path item.
fn is_listed(pointer: &str) -> bool {
    match pointer.split('/').collect::<Vec<_>>().as_slice() {
        ["", section, _] => ITEM_SECTIONS.contains(section),
        _ => false,
    }
}

fn one(lint: &mut Lint<'_>, file: &Source, reference: &Reference) {
    let sources = lint.sources;
    let target = &reference.target;
    let mut find = |problem: String, remedy: String| {
        lint.find_at(file, reference.line, &reference.owner, problem, remedy);
    };
    let Some((name, pointer)) = target
        .split_once('#')
        .filter(|(_, pointer)| pointer.starts_with('/'))
    else {
        find(
            format!("`{target}` names no place"),
            "write it like `common.yaml#/components/schemas/Currency`".to_owned(),
        );
        return;
    };
    if name == file.name {
        find(
            format!("`{target}` names its own file"),
            format!("write `'#{pointer}'`"),
        );
        return;
    }
    let named = if name.is_empty() {
        Some(file)
    } else {
        sources.named(name)
    };
    let found = named.and_then(|named| named.value.pointer(pointer));
    match found {
        Some(entry) if !is_elsewhere(entry) => {}
        _ => {
            let (problem, remedy) = nowhere(sources, file, name, pointer);
            find(problem, remedy);
        }
    }
}

/// Returns problem and remedy of a broken reference. Its definition may be in another file.
fn nowhere(sources: &Sources, file: &Source, name: &str, pointer: &str) -> (String, String) {
    let what = unescape(pointer.rsplit('/').next().unwrap_or(pointer));
    let here = if name.is_empty() { &file.name } else { name };
    let elsewhere = sources
        .files
        .iter()
        .find(|one| definitions(one).any(|(_, _, defined)| defined == pointer));
    match elsewhere {
        Some(other) => {
            let wanted = if other.name == file.name {
                ""
            } else {
                &other.name
            };
            (
                format!("`{what}` isn't defined in {here} but in {}", other.name),
                format!("write `'{wanted}#{pointer}'`"),
            )
        }
        None => (
            format!("`{what}` is used and defined nowhere"),
            format!("define it at `{pointer}`, or mend the name"),
        ),
    }
}

/// Checks that a file lists the security schemes of its operations, which name them without a reference.
fn schemes(lint: &mut Lint<'_>, file: &Source) {
    let main = lint.sources.main();
    let own = &file.value["components"]["securitySchemes"];
    let mut missing: Vec<(&str, String)> = Vec::new();
    for (name, place) in used_schemes(file) {
        if own.get(name).is_none() && !missing.iter().any(|(known, _)| *known == name) {
            missing.push((name, place));
        }
    }
    for (name, place) in missing {
        let remedy = if main.value["components"]["securitySchemes"]
            .get(name)
            .is_some()
        {
            format!(
                "add `{name}: {{ $ref: '{}#/components/securitySchemes/{name}' }}` to this file's \
                 components.securitySchemes",
                main.name
            )
        } else {
            format!(
                "declare it in {} under components.securitySchemes or use one that is there",
                main.name
            )
        };
        lint.find(
            file,
            &place,
            format!("the security scheme `{name}` is used and not defined in this file"),
            remedy,
        );
    }
}

/// Returns the security schemes that the operations of a file name, each with its place.
pub fn used_schemes(file: &Source) -> Vec<(&str, String)> {
    let mut used = Vec::new();
    for section in ITEM_SECTIONS {
        for (path, item) in members(&file.value[section]) {
            for (method, operation) in members(item) {
                for (index, entry) in items(&operation["security"]).enumerate() {
                    for (name, _) in members(entry) {
                        let path = escape(path);
                        used.push((name, format!("/{section}/{path}/{method}/security/{index}")));
                    }
                }
            }
        }
    }
    used
}
