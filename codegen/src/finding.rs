//! A finding: a fault of the document, its place, and its remedy.

use std::fmt;

/// One breach of the dialect, or of the rules of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// File that has the fault.
    pub file: String,
    /// Line in that file, counted from 1.
    pub line: usize,
    /// Operation (`POST /payments`) or JSON pointer (`#/components/schemas/Payment`).
    pub location: String,
    /// The fault.
    pub problem: String,
    /// The remedy.
    pub remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}:{}: {}\n  {}\n  remedy: {}",
            self.file, self.line, self.location, self.problem, self.remedy
        )
    }
}
