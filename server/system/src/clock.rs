//! The two clocks of a running server.
//!
//! *Wall and monotonic time* rule what happens between machines: signature timestamps,
//! timeouts, rate limits. *Business time* rules what happens to money: deadlines, client
//! secrets, retries. In the sandbox business time can be moved forward; outside of it
//! the offset stays 0.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use multirail_kernel::timestamp::Timestamp;

/// The machine's clock, with an offset for business time.
///
/// The offset rests in the database, so that all servers share it; the store tells it
/// here. Neither the offset nor business time ever goes back within a process.
#[derive(Debug, Default)]
pub struct SystemClock {
    offset_seconds: AtomicI64,
    latest_business_micros: AtomicI64,
}

impl SystemClock {
    /// Returns a clock whose business time is the wall's time.
    pub fn new() -> Self {
        Self::default()
    }

    /// Wall time in microseconds since 1970 (UTC).
    pub fn wall_micros(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            // A machine that believes to live before 1970 gets a time that is wrong but usable.
            Err(_) => 0,
        }
    }

    /// Returns a point in monotonic time, for measuring durations.
    pub fn monotonic(&self) -> Instant {
        Instant::now()
    }

    /// Business time in microseconds since 1970 (UTC): wall time plus the offset.
    ///
    /// When the machine's clock is set back, business time stands still until the clock
    /// has caught up: a payment is never updated before it was created.
    pub fn business_micros(&self) -> i64 {
        self.business_micros_at(self.wall_micros())
    }

    /// Returns by how many seconds business time is ahead of wall time.
    pub fn offset_seconds(&self) -> i64 {
        self.offset_seconds.load(Ordering::Acquire)
    }

    /// Moves business time forward to an offset that the store holds.
    ///
    /// A smaller offset than the present one is old news and changes nothing. Answers
    /// the offset that holds afterwards.
    pub fn raise_offset_seconds(&self, offset_seconds: i64) -> i64 {
        self.offset_seconds
            .fetch_max(offset_seconds, Ordering::AcqRel)
            .max(offset_seconds)
    }

    fn business_micros_at(&self, wall_micros: i64) -> i64 {
        let offset_micros = self.offset_seconds().saturating_mul(1_000_000);
        let now = wall_micros.saturating_add(offset_micros);
        self.latest_business_micros
            .fetch_max(now, Ordering::AcqRel)
            .max(now)
    }
}

impl multirail_kernel::clock::Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.business_micros())
    }

    fn wall(&self) -> Timestamp {
        Timestamp::from_micros(self.wall_micros())
    }

    fn advanced_seconds(&self) -> i64 {
        self.offset_seconds()
    }

    fn set_advanced_seconds(&self, seconds: i64) {
        self.raise_offset_seconds(seconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_767_268_800_000_000;

    #[test]
    fn business_time_is_wall_time_plus_the_offset() {
        let clock = SystemClock::new();
        assert_eq!(clock.business_micros_at(NOON), NOON);
        assert_eq!(clock.raise_offset_seconds(900), 900);
        assert_eq!(clock.business_micros_at(NOON), NOON + 900_000_000);
    }

    #[test]
    fn the_offset_never_shrinks() {
        let clock = SystemClock::new();
        assert_eq!(clock.raise_offset_seconds(900), 900);
        assert_eq!(clock.raise_offset_seconds(60), 900);
        assert_eq!(clock.raise_offset_seconds(-5), 900);
        assert_eq!(clock.offset_seconds(), 900);
    }

    #[test]
    fn business_time_stands_still_when_the_wall_steps_back() {
        let clock = SystemClock::new();
        assert_eq!(clock.business_micros_at(NOON), NOON);
        assert_eq!(clock.business_micros_at(NOON - 5_000_000), NOON);
        assert_eq!(clock.business_micros_at(NOON + 1), NOON + 1);
    }

    #[test]
    fn the_wall_is_later_than_this_test_was_written() {
        assert!(SystemClock::new().wall_micros() > 1_760_000_000_000_000);
    }
}
