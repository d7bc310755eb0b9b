//! The reference as Markdown: all operations with their addresses and descriptions.

use serde_json::Value;

use crate::document::{Operation, operations, plain, tags, text};

/// Returns the document's introduction, and each operation below its tag with its examples.
pub fn reference_text(document: &Value, url: &str) -> String {
    let about = text(&document["info"]["description"]);
    let mut written = format!(
        "# multirail: the reference\n\nThis server is {url}. Schemas of bodies and answers are in {url}/openapi.yaml.\n\n{about}\n"
    );
    for (tag, description) in tags(document) {
        written.push_str(&format!("\n# {tag}\n\n{description}\n"));
        let inside = operations(document).filter(|one| one.tag() == tag);
        written.extend(inside.map(|one| section(&one)));
    }
    written
}

fn section(operation: &Operation<'_>) -> String {
    let Operation { method, path, .. } = operation;
    let (summary, id, description) = (operation.summary(), operation.id(), operation.description());
    let request = example("Request", operation.body());
    let answer = example("Answer", operation.answer());
    format!("\n## {summary}\n\n`{method} {path}` (`{id}`)\n\n{description}\n{request}{answer}")
}

/// Returns a fenced example, if there is one.
fn example(what: &str, found: Option<(&str, &Value)>) -> String {
    let Some((kind, example)) = found.filter(|(_, example)| !example.is_null()) else {
        return String::new();
    };
    let language = kind.strip_prefix("application/").unwrap_or("text");
    let example = plain(example);
    format!("\n{what}:\n\n```{language}\n{example}\n```\n")
}
