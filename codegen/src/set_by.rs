//! Marks of the document that say who sets each member of a payment, and the table of them for readers.

use serde_json::Value;

use crate::document::{items, members, reference, referred};

/// The mark of a member.
pub const MARK: &str = "x-multirail-set-by";

/// The component whose members the table lists, with those of the components inside it.
const SUBJECT: &str = "Payment";

/// The words for who sets a member.
pub const WHO: [&str; 5] = ["merchant", "request", "server", "connector", NOBODY];

/// The word for members that this version writes as null or leaves out.
pub const NOBODY: &str = "nobody";

/// A member with a mark.
#[derive(Debug, Clone, Copy)]
pub struct Marked<'a> {
    /// The component that has it.
    pub component: &'a str,
    pub mark: &'a Value,
}

/// Returns every marked member of a payment by its path, such as `captures[].amount`, in the order of the document. A
/// component that stands in several places has its members listed at the first.
pub fn marked(document: &Value) -> Vec<(String, Marked<'_>)> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    walk(document, SUBJECT, "", &mut seen, &mut found);
    found
}

fn walk<'a>(
    document: &'a Value,
    component: &'a str,
    prefix: &str,
    seen: &mut Vec<&'a str>,
    found: &mut Vec<(String, Marked<'a>)>,
) {
    if seen.contains(&component) {
        return;
    }
    seen.push(component);
    for (name, member) in members(&document["components"]["schemas"][component]["properties"]) {
        let Some(mark) = member.get(MARK) else {
            continue;
        };
        let path = format!("{prefix}{name}");
        found.push((path.clone(), Marked { component, mark }));
        let (inside, path) = match reference(&member["items"]) {
            Some(items) => (Some(items), format!("{path}[].")),
            None => (referred(member), format!("{path}.")),
        };
        if let Some(inside) = inside {
            walk(document, inside, &path, seen, found);
        }
    }
}

/// Returns the table in Markdown.
pub fn table(document: &Value) -> String {
    let mut text = "| Member | Who sets it | From what | Since |\n|---|---|---|---|\n".to_owned();
    for (path, Marked { mark, .. }) in marked(document) {
        if let Some(group) = mark["group"].as_str() {
            text.push_str(&format!("| **{group}** | | | |\n"));
        }
        let who: Vec<&str> = items(&mark["who"]).filter_map(Value::as_str).collect();
        let who = if who == [NOBODY] {
            "nobody yet".to_owned()
        } else {
            who.join(", else ")
        };
        let from = mark["from"].as_str().unwrap_or_default();
        let from = from.replace('|', "\\|");
        let since = mark["since"].as_str().unwrap_or("not yet");
        text.push_str(&format!("| `{path}` | {who} | {from} | {since} |\n"));
    }
    text
}

/// The line above the table in a text.
const BEGIN: &str =
    "<!-- What follows is written by cargo codegen, from x-multirail-set-by in openapi/source. -->";

/// The line below it.
const END: &str = "<!-- Here ends what cargo codegen writes. -->";

/// Returns the text with the table between its two lines.
///
/// # Errors
/// The missing line, if one of the two is missing.
pub fn put_into(text: &str, table: &str) -> Result<String, &'static str> {
    let (before, rest) = text.split_once(BEGIN).ok_or(BEGIN)?;
    let (_, after) = rest.split_once(END).ok_or(END)?;
    Ok(format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))
}
