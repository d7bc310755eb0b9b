//! Reads Rust: comments, messages and names.

use std::sync::LazyLock;

use regex::Regex;

use super::tree::File;
use super::{Kind, Piece, Report, markdown, sentences};

macro_rules! patterns {
    ($($name:ident = $text:expr;)+) => {
        $(static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("patterns are constants"));)+
    };
}

patterns! {
    COMMENT = r"^\s*//[/!]?\s?(.*)$";
    MEMBER = r"^\s*(pub(\([^)]*\))? )?((const|static) )?(r#)?\w+\s*:|^\s*[A-Z]\w*\s*[,({]";
    NAME = r"^\s*(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*(?:fn|struct|enum|trait|mod|type) (?:r#)?(\w+)";
    MESSAGE = r#"(?:#\[error\(|(?:trace|debug|info|warn|error|bail|anyhow|fail)!\()[^"\n;]*?"((?:[^"\\]|\\.){20,})""#;
}

/// Adds the sentences of comments and messages, and the names that the file declares.
pub(super) fn read(file: &File, report: &mut Report) {
    let mut block = Vec::new();
    let mut begins = 0;
    let mut code = String::new();
    for (number, line) in (1..).zip(file.text.lines().chain([""])) {
        if let Some(comment) = COMMENT.captures(line) {
            if block.is_empty() {
                begins = number;
            }
            block.push(comment.get(1).map_or("", |text| text.as_str()));
            continue;
        }
        if !block.is_empty() {
            let place = format!("{}:{begins}", file.path);
            let text = markdown::without_code(&block.join("\n"));
            sentences::add(report, Kind::Comments, &place, &text, MEMBER.is_match(line));
            block.clear();
        }
        code.push_str(line);
        code.push('\n');
        if let Some(name) = NAME.captures(line) {
            report.pieces.push(Piece {
                kind: Kind::Names,
                place: format!("{}:{number}", file.path),
                text: name[1].to_owned(),
                on_member: false,
            });
        }
    }
    for message in MESSAGE.captures_iter(&code) {
        let text = capitalized(&message[1]);
        sentences::add(report, Kind::Messages, &file.path, &text, false);
    }
}

/// Messages begin in lower case, as Rust's do.
fn capitalized(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Language;
    use super::*;

    #[test]
    fn comments_messages_and_names_are_found() {
        let file = File {
            path: "a.rs".to_owned(),
            language: Language::Rust,
            text: "/// Whether it is paid.\n    pub paid: bool,\n\n// Two lines\n// are one sentence.\npub(crate) async fn pay() {\n    \
                   tracing::warn!(%error, \"the payment could not be stored\");\n}\n"
                .to_owned(),
        };
        let mut report = Report::default();
        read(&file, &mut report);
        let found: Vec<(Kind, &str, &str, bool)> = report
            .pieces
            .iter()
            .map(|piece| {
                (
                    piece.kind,
                    piece.place.as_str(),
                    piece.text.as_str(),
                    piece.on_member,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (Kind::Comments, "a.rs:1", "Whether it is paid.", true),
                (
                    Kind::Comments,
                    "a.rs:4",
                    "Two lines are one sentence.",
                    false
                ),
                (Kind::Names, "a.rs:6", "pay", false),
                (
                    Kind::Messages,
                    "a.rs",
                    "The payment could not be stored",
                    false
                ),
            ]
        );
    }
}
