//! The outcome of a run: a row for each check, and the formats for people and programs.

mod html;
mod json;
mod junit;
mod markdown;
mod table;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use crate::document::{document, operations};
use crate::masks::Exchange;
use crate::place::Reason;
use crate::response::Response;
use crate::wire::Wrong;

/// The subject of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A call in a merchant's life that works, or is refused as the document says.
    Story,
    /// The keys that open the operation.
    Authentication,
    /// Objects of other merchants that must be out of reach.
    Others,
    /// Bounds of parameters and members.
    Limits,
    /// The refusals that the operation lists.
    Refusals,
}

/// Every kind, in the order of reports.
pub const KINDS: [Kind; 5] = [
    Kind::Story,
    Kind::Authentication,
    Kind::Others,
    Kind::Limits,
    Kind::Refusals,
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Story => "story",
            Kind::Authentication => "authentication",
            Kind::Others => "others",
            Kind::Limits => "limits",
            Kind::Refusals => "refusals",
        })
    }
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed(Box<Failure>),
    /// The check wasn't made, for this reason.
    Skipped(String),
}

impl Outcome {
    /// Creates a failure for an answer that the document allows, but not to this request.
    pub fn failed(answer: &Response, reason: Reason) -> Self {
        Outcome::Failed(Box::new(Failure::from_answer(answer, reason)))
    }

    /// Creates a failure for an answer that breaks the document, or for a missing answer.
    pub fn wrong(wrong: &Wrong) -> Self {
        Outcome::Failed(Box::new(Failure::wrong(wrong)))
    }
}

/// The faults, and the exchange that shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub reasons: Vec<Reason>,
    /// `None` if nothing was sent.
    pub exchange: Option<Exchange>,
}

impl Failure {
    /// Creates a failure that no single exchange shows.
    pub fn bare(reason: Reason) -> Self {
        Self {
            reasons: vec![reason],
            exchange: None,
        }
    }

    /// Creates a failure for an answer that the document allows, but not to this request.
    pub fn from_answer(answer: &Response, reason: Reason) -> Self {
        Self {
            reasons: vec![reason],
            exchange: Some(Exchange::new(&answer.request, Some(answer))),
        }
    }

    /// Creates a failure for an answer that breaks the document, or for a missing answer.
    pub fn wrong(wrong: &Wrong) -> Self {
        let exchange = || Exchange::new(&wrong.request, wrong.answer.as_deref());
        Self {
            reasons: wrong.reasons.clone(),
            exchange: wrong.is_sent.then(exchange),
        }
    }

    /// Returns the reasons, one on each line.
    pub fn reasons(&self) -> String {
        let lines: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        lines.join("\n")
    }
}

/// One check.
#[derive(Clone, Debug)]
pub struct Row {
    pub operation: String,
    pub kind: Kind,
    /// The purpose of the check.
    pub scenario: String,
    pub outcome: Outcome,
    pub took: Duration,
}

impl Row {
    /// Returns whether the check was made and passed.
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }
}

/// All checks, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The server's address.
    pub server: String,
    /// Findings about the server, and the share of the document that was seen.
    pub notes: Vec<String>,
    /// Why the run ended early; `None` if it didn't.
    pub stopped: Option<String>,
    /// The number of members that had a value in an answer, and the number of all members.
    pub members: (usize, usize),
    pub rows: Vec<Row>,
}

/// The number of checks by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Count {
    fn from_rows<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        rows.fold(Self::default(), |mut count, row| {
            match row.outcome {
                Outcome::Passed => count.passed += 1,
                Outcome::Failed(_) => count.failed += 1,
                Outcome::Skipped(_) => count.skipped += 1,
            }
            count
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Lines for a terminal.
    Table,
    /// For programs.
    Json,
    /// For CI servers: a suite for each operation.
    Junit,
    /// For a summary page or an issue.
    Markdown,
    /// One file for a browser, which loads nothing else.
    Html,
}

impl Report {
    /// Returns the document's operations that no story reached or skipped.
    pub fn untried(&self) -> Vec<&'static str> {
        let stories = self.rows.iter().filter(|row| row.kind == Kind::Story);
        let tried: BTreeSet<&str> = stories.map(|row| row.operation.as_str()).collect();
        let ids = operations().iter().map(|operation| operation.id.as_str());
        ids.filter(|id| !tried.contains(id)).collect()
    }

    /// Returns whether no check failed and the run didn't end early.
    pub fn passed(&self) -> bool {
        !self.has_failures() && self.stopped.is_none()
    }

    /// Returns whether a check failed.
    pub fn has_failures(&self) -> bool {
        self.failures().next().is_some()
    }

    /// Returns the verdict on the server in a few words.
    fn verdict(&self) -> &'static str {
        match (self.has_failures(), &self.stopped) {
            (true, _) => "breaks the contract",
            (false, Some(_)) => "was not checked to the end",
            (false, None) => "keeps the contract",
        }
    }

    /// Returns whether nothing was checked at all.
    pub fn is_empty(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.all(|row| matches!(row.outcome, Outcome::Skipped(_)))
    }

    /// Returns the failed checks.
    pub fn failures(&self) -> impl Iterator<Item = (&Row, &Failure)> {
        self.rows.iter().filter_map(|row| match &row.outcome {
            Outcome::Failed(failure) => Some((row, failure.as_ref())),
            Outcome::Passed | Outcome::Skipped(_) => None,
        })
    }

    /// Returns the skipped checks, each with its reason.
    pub fn skips(&self) -> impl Iterator<Item = (&Row, &str)> {
        self.rows.iter().filter_map(|row| match &row.outcome {
            Outcome::Skipped(why) => Some((row, why.as_str())),
            Outcome::Passed | Outcome::Failed(_) => None,
        })
    }

    /// Counts all checks by outcome.
    pub fn count(&self) -> Count {
        Count::from_rows(self.rows.iter())
    }

    /// Returns every operation that has rows, in the document's order, with counts for each kind of check.
    pub fn by_operation(&self) -> Vec<(&str, [Count; KINDS.len()])> {
        let known = operations().iter().map(|operation| operation.id.as_str());
        let with_rows = known.filter_map(|id| {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.operation == id).collect();
            let of = |kind| Count::from_rows(rows.iter().copied().filter(|row| row.kind == kind));
            (!rows.is_empty()).then(|| (id, KINDS.map(of)))
        });
        with_rows.collect()
    }

    /// Renders the report in this format.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Table => self.table(),
            Format::Json => format!("{:#}\n", self.json()),
            Format::Junit => self.junit(),
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
        }
    }
}

/// Returns the version of the document that everything is compared with.
fn document_version() -> &'static str {
    document()["info"]["version"].as_str().unwrap_or_default()
}

/// Groups skipped checks by their reason: each reason with its operations.
fn skips_by_reason(report: &Report) -> Vec<(&str, Vec<String>)> {
    let mut grouped: Vec<(&str, Vec<String>)> = Vec::new();
    for (row, why) in report.skips() {
        let name = format!("{} ({}: {})", row.operation, row.kind, row.scenario);
        match grouped.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => grouped.push((why, vec![name])),
        }
    }
    grouped
}

fn milliseconds(row: &Row) -> f64 {
    (row.took.as_secs_f64() * 10_000.0).round() / 10.0
}

#[cfg(test)]
mod tests;
