//! Finds the names that a source file uses. It isn't a parser, but handles `use` lines and paths as people write
//! them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns all Rust files below a folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns a file's module path: `server/http/src/webhooks/convert/event.rs` is `["convert", "event"]`.
pub fn module_of(src: &Path, file: &Path) -> Vec<String> {
    let relative = file
        .strip_prefix(src)
        .expect("below src")
        .with_extension("");
    let mut module: Vec<String> = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    module
}

/// Returns the names in a file, without those of its tests, which may import anything.
pub fn names(file: &Path, module: &[String]) -> BTreeSet<String> {
    let in_tests = module
        .iter()
        .any(|part| part == "tests" || part == "fixture");
    if in_tests {
        return BTreeSet::new();
    }
    let text = std::fs::read_to_string(file).expect("a source");
    names_in(before_tests(&text), module)
}

/// Returns the part of a source before its module of tests. A module of tests in a file of its own may be named at the
/// top, and ends nothing.
pub fn before_tests(text: &str) -> &str {
    let tests = "#[cfg(test)]\nmod tests {";
    text.split(tests).next().unwrap_or(text)
}

/// Returns the names in a source: `crate::module` for the server's own modules, and every word before `::` as a
/// possible package.
fn names_in(text: &str, module: &[String]) -> BTreeSet<String> {
    let code = without_comments_and_texts(text);
    let mut found = BTreeSet::new();
    let mut rest = code.as_str();
    while let Some(place) = rest.find("::") {
        let before = &rest[..place];
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + 1);
        let word = &before[start..];
        let is_inner = before[..start].ends_with("::");
        rest = &rest[place + 2..];
        match word {
            "crate" => found.extend(expand("crate", rest, 1)),
            "super" if !is_inner => {
                let mut ups = 1;
                let mut tail = rest;
                while let Some(further) = tail.strip_prefix("super::") {
                    ups += 1;
                    tail = further;
                }
                let kept = module.len().saturating_sub(ups);
                let base = module[..kept]
                    .iter()
                    .fold("crate".to_owned(), |path, part| format!("{path}::{part}"));
                found.extend(expand(&base, tail, 1));
            }
            "" => {}
            package if !is_inner => {
                found.insert(package.to_owned());
            }
            _ => {}
        }
    }
    found
}

/// Returns the paths of a group: `{a, b::{c, d}}` after `crate` is `crate::a`, `crate::b`, `crate::b::c`,
/// `crate::b::d`.
fn expand(base: &str, rest: &str, depth: usize) -> Vec<String> {
    if depth == 0 {
        return Vec::new();
    }
    let rest = rest.trim_start();
    if let Some(group) = rest.strip_prefix('{') {
        return members(group)
            .into_iter()
            .flat_map(|member| expand(base, member, depth))
            .collect();
    }
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let (word, tail) = rest.split_at(end);
    if word.is_empty() {
        return Vec::new();
    }
    let path = format!("{base}::{word}");
    let mut paths = vec![path.clone()];
    if let Some(tail) = tail.strip_prefix("::") {
        paths.extend(expand(&path, tail, depth - 1));
    }
    paths
}

/// Returns the members of a group up to its closing brace.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(&group[start..at]);
                return found;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

pub fn without_comments_and_texts(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut kept = String::new();
        let mut in_text = false;
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if in_text => {
                    characters.next();
                }
                '"' => in_text = !in_text,
                '/' if !in_text && characters.peek() == Some(&'/') => break,
                other if !in_text => kept.push(other),
                _ => {}
            }
        }
        kept
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_reader_of_sources_reads() {
    let text = "use crate::{http::x, adapters::{store, seal}};\nuse super::super::App; // crate::cli\nsqlx::query(); \"reqwest::get\"";
    let found = names_in(text, &["app".to_owned(), "payments".to_owned()]);
    for wanted in ["crate::http", "crate::adapters", "crate::App", "sqlx"] {
        assert!(found.contains(wanted), "{wanted}: {found:?}");
    }
    assert!(
        !found.contains("crate::cli") && !found.contains("reqwest"),
        "{found:?}"
    );
}
