//! Marks of the document that name who sets each member of a payment.

use serde_json::Value;

use crate::document::{members, reference, referred};

/// The mark of a member.
pub const MARK: &str = "x-multirail-set-by";

/// The component whose members have marks, with those of the components inside it.
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
