//! Reasons why a database can be read but not written.

/// Why nothing can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// The disk, or our share of it, is full.
    Full,
    /// The system limits how long a file may get.
    SizeLimit,
    /// The file or its file system is read-only.
    ReadOnly,
    /// The file was deleted or moved while it was open.
    Gone,
    /// Another file has its name now.
    Replaced,
    /// The content of the file is no database, or a damaged one.
    Damaged,
    /// Reading or writing fails.
    DiskError,
    /// The database refuses, for none of the other reasons.
    Failing,
    /// After a failed commit only a new start can tell whether it is stored.
    Unsure,
}

impl Standstill {
    /// Returns the reason as a text for callers.
    pub fn reason(self) -> &'static str {
        match self {
            Standstill::Full => "the disk is full",
            Standstill::SizeLimit => {
                "the database file may not grow any further (the system limits the size of files)"
            }
            Standstill::ReadOnly => "the database file or its disk is read-only",
            Standstill::Gone => "the database file, or one that belongs to it, is gone",
            Standstill::Replaced => "the database file, or one that belongs to it, was replaced",
            Standstill::Damaged => "the database file is damaged",
            Standstill::DiskError => "the disk reports an error",
            Standstill::Failing => "the database reports an error",
            Standstill::Unsure => "a commit failed and nobody knows whether it is stored",
        }
    }
}

impl std::fmt::Display for Standstill {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.reason())
    }
}
