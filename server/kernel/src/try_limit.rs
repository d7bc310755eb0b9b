//! Limits how often a secret may be tried.

use crate::timestamp::Timestamp;

/// A number of tries at once, and then one more after each pause. One number counts them: the level is the moment at
/// which all tries are forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TryLimit {
    pub pause_seconds: i64,
    pub at_once: i64,
}

impl TryLimit {
    /// The limit for one account from one place. It tolerates typing errors and leaves a guesser a few thousand tries a
    /// day.
    pub const ACCOUNT_FROM_PLACE: TryLimit = TryLimit {
        pause_seconds: 30,
        at_once: 10,
    };
    /// The limit for one account from all places. Many places together get no further, and one place can't lock the
    /// owner out.
    pub const ACCOUNT: TryLimit = TryLimit {
        pause_seconds: 10,
        at_once: 50,
    };
    /// The limit for codes of a second factor. Three of a million codes are valid at a time, so a day of tries succeeds
    /// with a probability below one in a thousand.
    pub const CODES: TryLimit = TryLimit {
        pause_seconds: 300,
        at_once: 5,
    };
    /// The limit for cards and accounts that payers' clients save for one customer. Guessing among the hundred thousand
    /// numbers that match a saved card's visible digits takes years.
    pub const SAVES: TryLimit = TryLimit {
        pause_seconds: 8_640,
        at_once: 10,
    };

    /// Returns the amount that one try adds to the level.
    pub fn micros(self) -> i64 {
        self.pause_seconds * 1_000_000
    }

    /// Returns the highest level at which one more try is allowed.
    pub fn highest(self, now: Timestamp) -> Timestamp {
        now.plus_seconds((self.at_once - 1) * self.pause_seconds)
            .unwrap_or(now)
    }

    /// Returns the seconds until one more try is allowed.
    pub fn wait_seconds(self, level: Timestamp, now: Timestamp) -> i64 {
        let micros = level.as_micros() - self.highest(now).as_micros();
        (micros + 999_999).div_euclid(1_000_000).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_tells_whether_one_more_may_be_tried_and_else_when() {
        let limit = TryLimit::ACCOUNT_FROM_PLACE;
        let now = Timestamp::EPOCH.plus_seconds(1_000).expect("a moment");
        let mut level = now;
        let mut tries = 0;
        while level <= limit.highest(now) {
            level = Timestamp::from_micros(level.as_micros() + limit.micros());
            tries += 1;
        }
        assert_eq!(tries, 10);
        assert_eq!(limit.wait_seconds(level, now), 30);
        let later = now.plus_seconds(29).expect("a moment");
        assert_eq!(limit.wait_seconds(level, later), 1);
        let codes = TryLimit::CODES;
        let level = |tries: i64| Timestamp::from_micros(now.as_micros() + tries * codes.micros());
        assert!(level(4) <= codes.highest(now));
        assert!(level(5) > codes.highest(now));
        let later = now.plus_seconds(300).expect("a moment");
        assert!(level(5) <= codes.highest(later));
    }
}
