//! Judges whether the suite notices a changed document.

use std::collections::{BTreeMap, BTreeSet};

use multirail_codegen::lint::lint;
use multirail_codegen::sources::Sources;
use serde_json::Value;

use super::change::{Kind, Mutant};
use super::cover::gaps;
use super::operations::complaints;
use super::seen::{Seen, Values};
use multirail_verifier::schema;

/// The judge that noticed the change, or the reason why none did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A value that the server accepted or answered is no longer valid.
    Exchange,
    /// A value that the server refuses as badly formed would be valid.
    Refusal,
    /// The changed document permits something that was never used.
    Coverage,
    /// The generator's lint.
    Lint,
    Survived(String),
}

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exchange => "exchange",
            Self::Refusal => "refusal",
            Self::Coverage => "coverage",
            Self::Lint => "lint",
            Self::Survived(_) => "survived",
        }
    }

    /// Returns whether recorded exchanges, or their coverage, show it.
    pub fn is_of_exchanges(&self) -> bool {
        match self {
            Self::Exchange | Self::Refusal | Self::Coverage => true,
            Self::Lint | Self::Survived(_) => false,
        }
    }
}

/// The judge of changed documents.
pub struct Judge<'a> {
    seen: &'a Seen,
    sources: &'a Sources,
    /// Complaints about the unchanged document.
    complaints: BTreeSet<String>,
    gaps: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Judge<'a> {
    pub fn new(
        document: &Value,
        seen: &'a Seen,
        sources: &'a Sources,
        roots: &BTreeSet<String>,
    ) -> Self {
        let of_root = |root: &String| {
            let schema = document.pointer(root).expect("the schema is there");
            let right = seen.values.get(root).map_or_else(Vec::new, Values::right);
            (root.clone(), gaps(root, schema, &right))
        };
        Self {
            seen,
            sources,
            complaints: complaints(document, seen),
            gaps: roots.iter().map(of_root).collect(),
        }
    }

    /// Returns every permission of the document that was never used.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        let of_schemas = self.gaps.values().flatten().map(String::as_str);
        self.complaints.iter().map(String::as_str).chain(of_schemas)
    }

    /// Judges a mutant; the document is as before afterwards.
    pub fn judge(&self, mutant: &Mutant, document: &mut Value) -> Verdict {
        mutant.with(document, |document| {
            let noticed = match &mutant.root {
                None => self.operations(document),
                Some(root) => self.schema(document, root, mutant),
            };
            match noticed {
                Some(verdict) => verdict,
                None if !lint(document, self.sources).is_empty() => Verdict::Lint,
                None => Verdict::Survived(self.reason(mutant)),
            }
        })
    }

    /// Returns whether the generator's lint notices a mutant, whatever the other judges say; the document is as before
    /// afterwards.
    pub fn lint_notices(&self, mutant: &Mutant, document: &mut Value) -> bool {
        mutant.with(document, |document| {
            !lint(document, self.sources).is_empty()
        })
    }

    fn operations(&self, document: &Value) -> Option<Verdict> {
        let now = complaints(document, self.seen);
        let mut new = now.difference(&self.complaints);
        let first = new.next()?;
        let is_unseen = |told: &str| told.contains(" never ");
        let all_unseen = is_unseen(first) && new.all(|told| is_unseen(told));
        Some(if all_unseen {
            Verdict::Coverage
        } else {
            Verdict::Exchange
        })
    }

    fn schema(&self, document: &Value, root: &str, mutant: &Mutant) -> Option<Verdict> {
        let schema = document.pointer(root).expect("the schema is there");
        let Ok(validator) = schema::alone(document, schema) else {
            return Some(Verdict::Lint);
        };
        let none = Values::default();
        let values = self.seen.values.get(root).unwrap_or(&none);
        let is_wrong = |value: &Value| !validator.is_valid(value);
        // The server checks such a bound after it has understood the request.
        let read = if mutant.is_judged_by_rules {
            &[][..]
        } else {
            &values.read
        };
        if values.took.iter().any(is_wrong) || read.iter().any(is_wrong) {
            return Some(Verdict::Exchange);
        }
        if values.refused.iter().any(|value| validator.is_valid(value)) {
            return Some(Verdict::Refusal);
        }
        // A bound is no permission that could be used.
        if mutant.kind == Kind::Limit {
            return None;
        }
        let now = gaps(root, schema, &values.right());
        let before = self.gaps.get(root);
        let is_new = |gap: &String| before.is_none_or(|before| !before.contains(gap));
        now.iter().any(is_new).then_some(Verdict::Coverage)
    }

    fn reason(&self, mutant: &Mutant) -> String {
        let Some(root) = &mutant.root else {
            return "no exchange shows it".to_owned();
        };
        let Some(values) = self.seen.values.get(root) else {
            return "no exchange has anything here".to_owned();
        };
        let gaps = self.gaps.get(root);
        let mut here = gaps
            .into_iter()
            .flatten()
            .filter_map(|gap| gap.strip_prefix(mutant.place.as_str())?.strip_prefix(": "));
        match (mutant.kind, here.next()) {
            (Kind::Limit, _) if values.refused.is_empty() => {
                "no exchange stands at the bound, and none is refused for it".to_owned()
            }
            (Kind::Limit, _) => "no exchange stands at the bound or one beyond".to_owned(),
            (_, Some(gap)) => gap.to_owned(),
            (_, None) => "no exchange shows the difference".to_owned(),
        }
    }
}
