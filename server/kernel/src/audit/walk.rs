//! Checks the chain, a portion at a time.

use super::{BEGINNING, Chained, Head, Stamp, Stamper, next_link};

/// A place where the log differs from what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the first entry that shows the fault.
    pub sequence: i64,
    pub kind: FaultKind,
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The entry or its place in the chain was changed.
    Altered,
    /// No readable entry has this number.
    Missing,
    /// The log has more entries than the head counts.
    NotCounted,
    /// The head was changed or is missing.
    HeadAltered,
}

impl FaultKind {
    pub fn as_str(self) -> &'static str {
        match self {
            FaultKind::Altered => "altered",
            FaultKind::Missing => "missing",
            FaultKind::NotCounted => "not_counted",
            FaultKind::HeadAltered => "head_altered",
        }
    }
}

/// The position of a check and the link at that position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The number of the last checked entry; 0 before the first one.
    pub sequence: i64,
    pub link: Stamp,
}

impl Walk {
    /// Begins before the first entry.
    pub fn begin() -> Self {
        Walk {
            sequence: 0,
            link: BEGINNING,
        }
    }

    /// Continues after an entry that was checked before.
    pub fn behind(entry: &Chained) -> Self {
        Walk {
            sequence: entry.sequence,
            link: entry.link,
        }
    }

    /// Checks the next entries in their order. Returns the position before the first fault, and the fault.
    pub fn over(mut self, entries: &[Chained], by: &dyn Stamper) -> (Walk, Option<Fault>) {
        for one in entries {
            let sequence = self.sequence + 1;
            let fault = |kind| Some(Fault { sequence, kind });
            if one.sequence != sequence {
                return (self, fault(FaultKind::Missing));
            }
            let link = next_link(&self.link, sequence, &one.stamp, by);
            if one.entry.stamp(by) != one.stamp || link != one.link {
                return (self, fault(FaultKind::Altered));
            }
            self = Walk { sequence, link };
        }
        (self, None)
    }

    /// Checks the head at the end of the log.
    ///
    /// # Errors
    /// A head with a wrong stamp, or one whose count or last link doesn't match the entries.
    pub fn end(&self, head: &Head, by: &dyn Stamper) -> Result<(), Fault> {
        let fault = |sequence, kind| Err(Fault { sequence, kind });
        if !head.is_whole(by) {
            return fault(self.sequence.max(1), FaultKind::HeadAltered);
        }
        if self.sequence < head.entries {
            return fault(self.sequence + 1, FaultKind::Missing);
        }
        if self.sequence > head.entries {
            return fault(head.entries + 1, FaultKind::NotCounted);
        }
        if self.link != head.link {
            return fault(self.sequence.max(1), FaultKind::HeadAltered);
        }
        Ok(())
    }
}
