//! A stretch of time that is billed.

use serde::{Deserialize, Serialize};

use multirail_kernel::timestamp::Timestamp;

/// From `start`, included, to `end`, not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Period {
    /// Whether the moment belongs to it.
    pub fn contains(&self, moment: Timestamp) -> bool {
        self.start <= moment && moment < self.end
    }

    /// How long it is, in microseconds; 0 where it ends before it starts.
    pub fn micros(&self) -> i64 {
        (self.end.as_micros() - self.start.as_micros()).max(0)
    }

    /// Whether there is nothing of it.
    pub fn is_empty(&self) -> bool {
        self.micros() == 0
    }

    /// Whether some moment belongs to both.
    pub fn overlaps(&self, other: &Period) -> bool {
        self.start.max(other.start) < self.end.min(other.end)
    }

    /// What is left of it from this moment on; `None` when it is over.
    pub fn from(&self, moment: Timestamp) -> Option<Period> {
        let rest = Period {
            start: self.start.max(moment),
            end: self.end,
        };
        (!rest.is_empty()).then_some(rest)
    }

    /// What was of it before this moment; `None` when it hasn't begun.
    pub fn until(&self, moment: Timestamp) -> Option<Period> {
        let past = Period {
            start: self.start,
            end: self.end.min(moment),
        };
        (!past.is_empty()).then_some(past)
    }
}
