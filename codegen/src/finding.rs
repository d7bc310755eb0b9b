//! A finding: what is wrong with the document, where, and how to mend it.

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
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
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
