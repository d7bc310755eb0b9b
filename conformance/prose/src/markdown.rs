//! Reads Markdown.

use std::sync::LazyLock;

use regex::Regex;

use super::tree::File;
use super::{Kind, Report, sentences};

/// A block of code.
static BLOCK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)```.*?(```|\z)").expect("the pattern is a constant"));

/// Returns a text without its blocks of code.
pub(super) fn without_code(text: &str) -> String {
    BLOCK.replace_all(text, "").into_owned()
}

/// Adds the sentences of a document, with its words and lines.
pub(super) fn read(file: &File, report: &mut Report) {
    let words = file.text.split_whitespace().count();
    report.words.insert(file.path.clone(), words);
    let lines = file.text.lines().count();
    report.lines.insert(file.path.clone(), lines);
    let text = without_code(&file.text);
    sentences::add(report, Kind::Markdown, &file.path, &text, false);
}
