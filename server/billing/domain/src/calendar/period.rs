//! A stretch of time that is billed.

use serde::{Deserialize, Serialize};

use multirail_kernel::timestamp::Timestamp;

/// The time from `start` (inclusive) to `end` (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Period {
    /// Checks whether the moment lies in the period.
    pub fn contains(&self, moment: Timestamp) -> bool {
        self.start <= moment && moment < self.end
    }

    /// Returns the length in microseconds, or 0 if the period ends before it starts.
    pub fn micros(&self) -> i64 {
        (self.end.as_micros() - self.start.as_micros()).max(0)
    }

    /// Checks whether the length is 0.
    pub fn is_empty(&self) -> bool {
        self.micros() == 0
    }

    /// Checks whether the two periods have a moment in common.
    pub fn overlaps(&self, other: &Period) -> bool {
        self.start.max(other.start) < self.end.min(other.end)
    }

    /// Returns the part from this moment on, or `None` if the period is over.
    pub fn from(&self, moment: Timestamp) -> Option<Period> {
        let rest = Period {
            start: self.start.max(moment),
            end: self.end,
        };
        (!rest.is_empty()).then_some(rest)
    }

    /// Returns the part before this moment, or `None` if the period hasn't begun.
    pub fn until(&self, moment: Timestamp) -> Option<Period> {
        let past = Period {
            start: self.start,
            end: self.end.min(moment),
        };
        (!past.is_empty()).then_some(past)
    }
}
