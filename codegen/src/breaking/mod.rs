//! The changes between two documents, by the rules of oasdiff, and whether the change log names them.

mod changelog;
mod operations;
mod promises;
pub mod rules;
mod schemas;

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

pub use changelog::unnamed;
pub use rules::{Level, Rule, rule};

use crate::Error;
use crate::document::parse_yaml;
use crate::sources::Lines;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub rule: Rule,
    /// The changed operation or member, such as `POST /refunds` or `RefundCreateRequest.amount`.
    pub subject: String,
    /// The kind of change.
    pub what: String,
    /// JSON pointer to the changed place in the new document, or in the old one if the place was removed.
    pub pointer: String,
    pub line: usize,
    pub is_gone: bool,
    /// A line of the change log with one of these words names the change.
    pub names: Vec<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = if self.is_gone {
            "the released document"
        } else {
            "openapi.yaml"
        };
        write!(
            formatter,
            "{}: {} {}: {}\n  {document}:{} #{}",
            self.rule.level, self.rule.id, self.subject, self.what, self.line, self.pointer
        )
    }
}

/// Returns all changes with a rule, from one published document to the next, each once for all its operations.
///
/// # Errors
/// Fails when one of the texts isn't YAML.
pub fn changes(old: &str, new: &str) -> Result<Vec<Change>, Error> {
    let mut compared = Compared {
        old: Side::read("the released document", old)?,
        new: Side::read("openapi.yaml", new)?,
        changes: Vec::new(),
        seen: BTreeSet::new(),
    };
    operations::compare(&mut compared);
    let mut changes = compared.changes;
    changes.sort_by(|one, other| {
        let of = |change: &Change| {
            (
                std::cmp::Reverse(change.rule.level),
                change.is_gone,
                change.line,
            )
        };
        of(one).cmp(&of(other))
    });
    Ok(changes)
}

/// A document, and the line of each place.
struct Side {
    root: Value,
    lines: Lines,
}

impl Side {
    fn read(name: &str, text: &str) -> Result<Self, Error> {
        let unreadable = |reason: String| Error::Document(format!("{name}: {reason}"));
        Ok(Self {
            root: parse_yaml(text).map_err(&unreadable)?,
            lines: Lines::parse(text).map_err(|error| unreadable(error.to_string()))?,
        })
    }

    fn at(&self, pointer: &str) -> &Value {
        self.root.pointer(pointer).unwrap_or(&Value::Null)
    }
}

/// The compared documents, and the findings so far.
struct Compared {
    old: Side,
    new: Side,
    changes: Vec<Change>,
    /// Compared pairs of schemas, in each direction, so that the comparison of recursive schemas ends.
    seen: BTreeSet<(String, String, bool)>,
}

/// A finding: the subject with the words that name it, and its place.
struct Found<'f> {
    subject: String,
    what: String,
    pointer: &'f str,
    is_gone: bool,
    names: Vec<String>,
}

impl Compared {
    /// Records a change if the list has a rule for it, once.
    fn find(&mut self, id: &str, found: Found<'_>) {
        let Some(rule) = rule(id) else { return };
        let side = if found.is_gone { &self.old } else { &self.new };
        let change = Change {
            rule,
            line: side.lines.at(found.pointer),
            pointer: found.pointer.to_owned(),
            subject: found.subject,
            what: found.what,
            is_gone: found.is_gone,
            names: found.names,
        };
        let is_known = self.changes.iter().any(|known| {
            known.rule == rule && known.pointer == change.pointer && known.what == change.what
        });
        if !is_known {
            self.changes.push(change);
        }
    }
}
