//! Cuts text into sentences.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, Piece, Report};

macro_rules! patterns {
    ($($name:ident = $text:expr;)+) => {
        $(static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("patterns are constants"));)+
    };
}

patterns! {
    PARAGRAPH = r"\n\s*\n";
    ITEM = r"\n\s*(?:[-*]|\d+\.) ";
    MARK = r"^\s*(?:[-*>]|\d+\.)\s+";
    CODE = r"`[^`]*`";
    LINK = r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?";
    BLANKS = r"\s+";
    ABBREVIATION = r"\b(e\.g|i\.e|etc|vs|cf|No)\.";
    END = r"[.!?]\s+[A-Z]";
}

/// Adds the sentences of a text. Paragraphs and items of lists end a sentence; tables and headings have none.
pub(super) fn add(report: &mut Report, kind: Kind, place: &str, text: &str, on_member: bool) {
    for paragraph in PARAGRAPH.split(text) {
        for item in items(paragraph) {
            let item = item.trim_start_matches('\n');
            if item.trim_start().starts_with(['|', '#']) {
                continue;
            }
            for sentence in sentences(&MARK.replace(item, "")) {
                report.pieces.push(Piece {
                    kind,
                    place: place.to_owned(),
                    text: sentence,
                    on_member,
                });
            }
        }
    }
}

/// Cuts a paragraph before each item of a list.
fn items(paragraph: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = ITEM
        .find_iter(paragraph)
        .map(|found| found.start())
        .collect();
    begins.insert(0, 0);
    begins.push(paragraph.len());
    begins
        .windows(2)
        .map(|pair| &paragraph[pair[0]..pair[1]])
        .collect()
}

/// Returns the sentences of three words and more, with `X` for each piece of code and links by their texts.
fn sentences(text: &str) -> Vec<String> {
    let text = CODE.replace_all(text, "X");
    let text = LINK.replace_all(&text, "$1");
    let text = BLANKS.replace_all(&text, " ");
    let text = ABBREVIATION.replace_all(&text, "$1");
    let mut sentences = Vec::new();
    let mut rest = text.as_ref();
    while let Some(end) = END.find(rest) {
        // The match ends with the first letter of the next sentence.
        let next = end.end() - 1;
        sentences.push(rest[..end.start() + 1].to_owned());
        rest = &rest[next..];
    }
    sentences.push(rest.to_owned());
    sentences.retain(|sentence| sentence.split_whitespace().count() > 2);
    sentences
        .into_iter()
        .map(|sentence| sentence.trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_tables_code_and_links_are_understood() {
        let mut report = Report::default();
        let text = "A payment is made. It has an `id`, e.g. one of ours.\n- The first item\n  goes on.\n- [A second](x.md) one.\n\n\
                    | a | table |\n\n# A heading of it\n\nToo short.";
        add(&mut report, Kind::Markdown, "a.md", text, false);
        let found: Vec<&str> = report
            .pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect();
        assert_eq!(
            found,
            [
                "A payment is made.",
                "It has an X, e.g one of ours.",
                "The first item goes on.",
                "A second one.",
            ]
        );
    }
}
