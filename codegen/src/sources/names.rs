//! Names: each is defined once, and used.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Lint;
use super::lines::{escape, unescape};
use super::references::used_schemes;
use super::{ITEM_SECTIONS, Source, definitions, is_elsewhere};
use crate::document::members;

pub fn check(lint: &mut Lint<'_>) {
    twice(lint);
    handed_on(lint);
    other_schemes(lint);
    unused(lint);
}

/// Finds names that two files define: the joined document has one place for each.
fn twice(lint: &mut Lint<'_>) {
    let mut seen: BTreeMap<String, &Source> = BTreeMap::new();
    for file in &lint.sources.files {
        let components = definitions(file).map(|(_, _, pointer)| pointer);
        let items = ITEM_SECTIONS.into_iter().flat_map(|section| {
            members(&file.value[section])
                .filter(|(_, item)| !is_elsewhere(item))
                .map(move |(name, _)| format!("/{section}/{}", escape(name)))
        });
        for pointer in components.chain(items) {
            match seen.get(&pointer) {
                None => {
                    seen.insert(pointer, file);
                }
                Some(first) => {
                    let name = unescape(pointer.rsplit('/').next().unwrap_or_default());
                    let line = first.lines.at(&pointer);
                    lint.find(
                        file,
                        &pointer,
                        format!("`{name}` is defined twice, first in {}:{line}", first.shown),
                        "keep one definition and refer to it, or give the other one a name of its own",
                    );
                }
            }
        }
    }
}

/// Finds components that are references to another file. Only security schemes need one, because operations name them
/// without a reference, and only those that the file's operations take.
fn handed_on(lint: &mut Lint<'_>) {
    for file in &lint.sources.files {
        let used: BTreeSet<&str> = used_schemes(file)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        for (kind, entries) in members(&file.value["components"]) {
            for (name, _) in members(entries).filter(|(_, entry)| is_elsewhere(entry)) {
                let pointer = format!("/components/{kind}/{name}");
                if kind != "securitySchemes" {
                    lint.find(
                        file,
                        &pointer,
                        format!("`{name}` is a reference to another file and nothing else"),
                        "remove it and refer to that file where the name is used",
                    );
                } else if !used.contains(name) {
                    lint.find(
                        file,
                        &pointer,
                        format!(
                            "the security scheme `{name}` is used by no operation of this file"
                        ),
                        "remove the line",
                    );
                }
            }
        }
    }
}

/// Finds security schemes that refer to one of another name. The joined document has one scheme of each name: there the
/// name would mean one key, and to a tool that opens this file another one.
fn other_schemes(lint: &mut Lint<'_>) {
    let sources = lint.sources;
    for file in &sources.files {
        for (name, entry) in members(&file.value["components"]["securitySchemes"]) {
            let pointer = format!("/components/securitySchemes/{name}");
            let target = entry["$ref"].as_str().and_then(|to| to.split_once('#'));
            if target.is_none_or(|(_, target)| target == pointer) {
                continue;
            }
            let definer = sources.owner(&pointer);
            let remedy = if definer.name == file.name {
                "describe the scheme here, or remove it".to_owned()
            } else {
                format!("write `$ref: '{}#{pointer}'`", definer.name)
            };
            lint.find(
                file,
                &pointer,
                format!("`{name}` leads to another security scheme"),
                remedy,
            );
        }
    }
}

/// Finds definitions without a reference.
fn unused(lint: &mut Lint<'_>) {
    let sources = lint.sources;
    let mut used: BTreeSet<String> = BTreeSet::new();
    for file in &sources.files {
        for reference in &file.lines.references {
            if let Some((_, pointer)) = reference.target.split_once('#')
                && !format!("{}/", reference.owner).starts_with(&format!("{pointer}/"))
            {
                used.insert(pointer.to_owned());
            }
        }
        let named = used_schemes(file).into_iter();
        used.extend(named.map(|(name, _)| format!("/components/securitySchemes/{name}")));
    }
    for file in &sources.files {
        for (_, name, pointer) in definitions(file) {
            if !used.contains(&pointer) {
                lint.find(
                    file,
                    &pointer,
                    format!("`{name}` is defined and never used"),
                    "remove it, or refer to it from the operation that it is for",
                );
            }
        }
    }
}
