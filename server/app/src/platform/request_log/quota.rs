//! The bound on logged requests in a second, so that the log never slows a busy server down.

use std::sync::atomic::{AtomicU64, Ordering};

use multirail_kernel::timestamp::Timestamp;

/// Counts the requests of the present second.
pub struct Quota {
    per_second: u32,
    /// The second in the upper half, and its count in the lower half.
    counted: AtomicU64,
}

impl Quota {
    /// Returns a quota; 0 logs nothing.
    pub fn new(per_second: u32) -> Self {
        Quota {
            per_second,
            counted: AtomicU64::new(0),
        }
    }

    /// Returns whether anything is logged.
    pub fn is_on(&self) -> bool {
        self.per_second > 0
    }

    /// Counts one more request, if this second has room for it.
    pub fn take(&self, wall: Timestamp) -> bool {
        let second = (wall.as_micros() / 1_000_000).unsigned_abs() & u64::from(u32::MAX);
        let counted = self
            .counted
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |counted| {
                let count = match counted >> 32 == second {
                    true => counted & u64::from(u32::MAX),
                    false => 0,
                };
                (count < u64::from(self.per_second)).then_some((second << 32) | (count + 1))
            });
        counted.is_ok()
    }
}
