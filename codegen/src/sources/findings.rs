//! Collects the findings of the files.

use super::{Source, Sources};
use crate::finding::Finding;

/// The files under examination and the findings so far.
pub(super) struct Lint<'a> {
    pub sources: &'a Sources,
    findings: Vec<Finding>,
}

impl<'a> Lint<'a> {
    pub fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            findings: Vec::new(),
        }
    }

    pub fn findings(self) -> Vec<Finding> {
        self.findings
    }

    pub fn find(
        &mut self,
        file: &Source,
        pointer: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.find_at(file, file.lines.at(pointer), pointer, problem, remedy);
    }

    pub fn find_at(
        &mut self,
        file: &Source,
        line: usize,
        pointer: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.findings.push(Finding {
            file: file.shown.clone(),
            line,
            location: format!("#{pointer}"),
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }
}
