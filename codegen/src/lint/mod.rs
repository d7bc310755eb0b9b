//! The dialect: the rules under which the whole document can be translated to code, without losing any of its words.
//!
//! A rule has one of three reasons: progenitor or typify refuse or garble something, the frame of the server can't enforce
//! it, or people read the document. All findings are collected, so that one run shows every fault.

mod location;
mod names;
mod operations;
mod parameters;
mod paths;
mod reach;
mod responses;
mod schemas;
mod set_by;

use serde_json::Value;

use crate::document::{METHODS, members};
use crate::finding::Finding;
use crate::sources::Sources;
use location::Location;

/// The document under examination and the findings so far.
pub(crate) struct Lint<'a> {
    root: &'a Value,
    sources: &'a Sources,
    findings: Vec<Finding>,
}

/// Returns all findings: of the document as a whole, then of its operations, then of its schemas. The sources, from which
/// the document was joined, give each its file and line.
pub fn lint(document: &Value, sources: &Sources) -> Vec<Finding> {
    let mut lint = Lint {
        root: document,
        sources,
        findings: Vec::new(),
    };
    if !document["openapi"]
        .as_str()
        .is_some_and(|version| version.starts_with("3.0."))
    {
        lint.find(
            &Location::at("/openapi"),
            "the version isn't 3.0.x",
            "write `openapi: 3.0.3`; progenitor reads no other",
        );
    }
    for (location, remedy) in [
        ("/info/contact", "say who answers for the interface"),
        ("/info/license/url", "say where its text stands"),
    ] {
        if document.pointer(location).is_none() {
            lint.find(&Location::at(location), "it is missing", remedy);
        }
    }
    paths::check(&mut lint);
    operations::check(&mut lint);
    schemas::check(&mut lint);
    reach::check(&mut lint);
    set_by::check(&mut lint);
    lint.findings
}

impl<'a> Lint<'a> {
    fn find(&mut self, location: &Location, problem: impl Into<String>, remedy: impl Into<String>) {
        let (file, line) = self.sources.at(location.pointer());
        self.findings.push(Finding {
            file: file.to_owned(),
            line,
            location: location.to_string(),
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }

    /// Returns every operation as location, method, path and value.
    fn operations(&self) -> Vec<(Location, &'a str, &'a str, &'a Value)> {
        members(&self.root["paths"])
            .flat_map(|(path, item)| {
                members(item).map(move |(method, operation)| (path, method, operation))
            })
            .filter(|(_, method, _)| METHODS.contains(method))
            .map(|(path, method, operation)| {
                (Location::operation(method, path), method, path, operation)
            })
            .collect()
    }

    fn components(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        members(&self.root["components"]["schemas"])
    }
}

fn has_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}
