//! The rules of the files: the sections that each may have, and that `main.yaml` lists every path and tag.

use super::findings::Lint;
use super::lines::escape;
use super::{ITEM_SECTIONS, KINDS, Source, Sources, names, outside, references};
use crate::document::{items, members};
use crate::finding::Finding;

/// The sections that a file other than `main.yaml` may have.
const SECTIONS: [&str; 6] = [
    "openapi",
    "info",
    "tags",
    "paths",
    "x-webhooks",
    "components",
];

pub fn lint(sources: &Sources) -> Vec<Finding> {
    let mut lint = Lint::new(sources);
    if !sources.others().is_empty() {
        for file in sources.others() {
            header(&mut lint, file);
            sections(&mut lint, file);
            for section in ITEM_SECTIONS {
                listed(&mut lint, file, section);
            }
        }
        for file in &sources.files {
            kinds(&mut lint, file);
            block_style(&mut lint, file);
        }
        tags(&mut lint);
        for section in ITEM_SECTIONS {
            targets(&mut lint, section);
        }
    }
    references::check(&mut lint);
    names::check(&mut lint);
    lint.findings()
}

/// Checks that each file is a document of its own, of the same version as the main one.
fn header(lint: &mut Lint<'_>, file: &Source) {
    let main = lint.sources.main();
    for pointer in ["/openapi", "/info/version"] {
        let wanted = main.value.pointer(pointer);
        if file.value.pointer(pointer) != wanted {
            let wanted = wanted.and_then(|one| one.as_str()).unwrap_or("?");
            lint.find(
                file,
                pointer,
                format!("it isn't `{wanted}`, as in {}", main.name),
                "write the same; tools open every file as a document of its own",
            );
        }
    }
}

fn sections(lint: &mut Lint<'_>, file: &Source) {
    for (section, _) in members(&file.value) {
        if !SECTIONS.contains(&section) {
            lint.find(
                file,
                &format!("/{section}"),
                format!("`{section}` stands in the file of a resource"),
                format!(
                    "move it to {}; from other files only {} are joined",
                    lint.sources.main().name,
                    SECTIONS[2..].join(", ")
                ),
            );
        }
    }
}

fn kinds(lint: &mut Lint<'_>, file: &Source) {
    for (kind, _) in members(&file.value["components"]) {
        if !KINDS.contains(&kind) {
            lint.find(
                file,
                &format!("/components/{kind}"),
                format!("`{kind}` aren't joined"),
                format!("use {}", KINDS.join(", ")),
            );
        }
    }
}

/// Checks that each entry has lines of its own, because entries are copied line by line.
fn block_style(lint: &mut Lint<'_>, file: &Source) {
    let mut entries: Vec<(String, usize)> = Vec::new();
    for section in ITEM_SECTIONS {
        for (name, _) in members(&file.value[section]) {
            entries.push((format!("/{section}/{}", escape(name)), 2));
        }
    }
    for (kind, named) in members(&file.value["components"]) {
        for (name, _) in members(named) {
            entries.push((format!("/components/{kind}/{name}"), 4));
        }
    }
    for (pointer, indent) in entries {
        let column = file.lines.spot(&pointer).map(|spot| spot.column);
        if column != Some(indent) {
            lint.find(
                file,
                &pointer,
                format!("it isn't indented by {indent}"),
                format!("begin it on a line of its own, {indent} blanks before the name: files are joined line by line"),
            );
        }
    }
}

/// Checks that the main file lists every path and webhook of a file.
fn listed(lint: &mut Lint<'_>, file: &Source, section: &str) {
    let main = lint.sources.main();
    for (name, _) in members(&file.value[section]) {
        if main.value[section].get(name).is_none() {
            let place = format!("/{section}/{}", escape(name));
            lint.find(
                file,
                &place,
                format!("{} doesn't list it", main.name),
                format!(
                    "add `{name}: {{ $ref: '{}#{place}' }}` to its {section}, where it shall stand in the document",
                    file.name
                ),
            );
        }
    }
}

/// Checks that a path or webhook of the main file leads to the same name in another file.
fn targets(lint: &mut Lint<'_>, section: &str) {
    let main = lint.sources.main();
    for (name, item) in members(&main.value[section]) {
        let place = format!("/{section}/{}", escape(name));
        if let Some((file, pointer)) = outside(item)
            && pointer != place
        {
            lint.find(
                main,
                &place,
                format!("it leads to `{pointer}`"),
                format!("write `$ref: '{file}#{place}'`"),
            );
        }
    }
}

/// Checks the tags: the main file names each once, in order, and the file of its operations describes it.
fn tags(lint: &mut Lint<'_>) {
    let sources = lint.sources;
    let main = sources.main();
    for (index, tag) in items(&main.value["tags"]).enumerate() {
        if let Some((word, _)) = members(tag).find(|(word, _)| *word != "name") {
            lint.find(
                main,
                &format!("/tags/{index}/{word}"),
                format!("`{word}` of a tag stands in {}", main.name),
                "move it to the tag in the file of its operations; here a tag has a name alone",
            );
        }
    }
    for (index, name) in main.tags() {
        if let Some((first, _)) = main
            .tags()
            .find(|(first, known)| *first < index && *known == name)
        {
            let line = main.lines.at(&format!("/tags/{first}"));
            lint.find(
                main,
                &format!("/tags/{index}"),
                format!("the tag `{name}` is named twice, first in line {line}"),
                "keep the line that stands where documentation shall show the tag",
            );
            continue;
        }
        let described = sources
            .others()
            .iter()
            .flat_map(|file| file.tags().map(move |(index, tag)| (file, index, tag)))
            .filter(|(_, _, tag)| *tag == name)
            .collect::<Vec<_>>();
        match described.as_slice() {
            [_] => {}
            [] => lint.find(
                main,
                &format!("/tags/{index}"),
                format!("the tag `{name}` is described nowhere"),
                "describe it under `tags` in the file of its operations",
            ),
            [(first, at, _), again @ ..] => {
                for (file, index, _) in again {
                    let line = first.lines.at(&format!("/tags/{at}"));
                    lint.find(
                        file,
                        &format!("/tags/{index}"),
                        format!(
                            "the tag `{name}` is described twice, first in {}:{line}",
                            first.shown
                        ),
                        "keep one of the two descriptions",
                    );
                }
            }
        }
    }
    for file in sources.others() {
        for (index, name) in file.tags() {
            if !main.tags().any(|(_, known)| known == name) {
                lint.find(
                    file,
                    &format!("/tags/{index}"),
                    format!("{} doesn't list the tag `{name}`", main.name),
                    "name it under `tags` there, where documentation shall show it",
                );
            }
        }
    }
}
