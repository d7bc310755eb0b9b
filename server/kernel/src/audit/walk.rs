//! Going along the chain, a portion at a time.

use super::{BEGINNING, Chained, Head, Stamp, Stamper, next_link};

/// Where the log isn't what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The first number at which it shows.
    pub sequence: i64,
    pub kind: FaultKind,
}

/// What shows there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The entry or its place in the chain isn't what was written.
    Altered,
    /// There is no entry of this number that can be read.
    Missing,
    /// There are entries that the head doesn't count.
    NotCounted,
    /// The head itself isn't what was written, or is gone.
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

/// How far somebody has gone, and the link there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The last entry that was looked at; 0 before the first one.
    pub sequence: i64,
    pub link: Stamp,
}

impl Walk {
    /// Before the first entry.
    pub fn begin() -> Self {
        Walk {
            sequence: 0,
            link: BEGINNING,
        }
    }

    /// Behind an entry that was looked at before.
    pub fn behind(entry: &Chained) -> Self {
        Walk {
            sequence: entry.sequence,
            link: entry.link,
        }
    }

    /// Goes on over the entries that follow, in their order: as far as they are what was written, and what it met there.
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

    /// Ends at the head.
    ///
    /// # Errors
    /// The head wasn't written so, counts more than was found, or another last entry.
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
