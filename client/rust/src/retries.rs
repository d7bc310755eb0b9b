//! The number of tries of a call, and the waits between them.

use std::time::Duration;

use chrono::{DateTime, Utc};

const TRIES: u32 = 3;
const BASE_WAIT: Duration = Duration::from_millis(200);
/// Longer than a server with default settings holds a dead request's key.
const CLAIM_PATIENCE: Duration = Duration::from_secs(60);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The retry settings of a client, set by [`Connection::tries`](crate::Connection::tries),
/// [`Connection::base_wait`](crate::Connection::base_wait) and
/// [`Connection::claim_patience`](crate::Connection::claim_patience).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retries {
    /// The maximum number of tries, including the first; 0 counts as 1.
    pub tries: u32,
    /// The maximum wait before the second try. It doubles with each further one, up to ten seconds.
    pub base_wait: Duration,
    /// How long a call is repeated, beyond `tries`, while the service answers that its first try is still being
    /// processed.
    pub claim_patience: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            tries: TRIES,
            base_wait: BASE_WAIT,
            claim_patience: CLAIM_PATIENCE,
        }
    }
}

impl Retries {
    /// Returns settings without any retry.
    pub fn none() -> Self {
        Self {
            tries: 1,
            claim_patience: Duration::ZERO,
            ..Self::default()
        }
    }

    /// Returns the wait after this many tries: a random part of a bound that doubles, so that callers who failed
    /// together don't return together. `draw` is random. The service's `Retry-After` is added; if it is too long for a
    /// call, there is no retry.
    pub fn wait(&self, tries: u32, asked_for: Option<Duration>, draw: u64) -> Option<Duration> {
        let asked_for = asked_for.unwrap_or_default();
        if asked_for > LONGEST_WAIT {
            return None;
        }
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        let bound = self.base_wait.saturating_mul(doubled).min(LONGEST_WAIT);
        let share = draw as f64 / u64::MAX as f64;
        Some(asked_for + bound.mul_f64(share))
    }
}

/// Parses `Retry-After`: seconds, or a moment.
pub fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = DateTime::parse_from_rfc2822(value).ok()?;
    // A past moment needs no wait.
    Some(
        (moment.with_timezone(&Utc) - now)
            .to_std()
            .unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_drawn_below_a_bound_that_doubles() {
        let retries = Retries::default();
        let longest = |tries| retries.wait(tries, None, u64::MAX).unwrap().as_millis();
        assert_eq!([1, 2, 3, 9].map(longest), [200, 400, 800, 10_000]);
        assert_eq!(longest(u32::MAX), 10_000);
        assert_eq!(retries.wait(2, None, 0), Some(Duration::ZERO));
        let half = retries.wait(1, None, u64::MAX / 2).unwrap();
        assert!((99..=101).contains(&half.as_millis()), "{half:?}");
    }

    #[test]
    fn retry_after_delays_the_call_or_ends_it() {
        let retries = Retries::default();
        let second = Some(Duration::from_secs(1));
        assert_eq!(retries.wait(1, second, 0), second);
        assert!(retries.wait(1, second, u64::MAX) > second);
        assert_eq!(retries.wait(1, Some(Duration::from_secs(3600)), 0), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_moment() {
        let now = "2026-01-05T10:11:12Z".parse().unwrap();
        let read = |value| retry_after(value, now);
        assert_eq!(read(" 3 "), Some(Duration::from_secs(3)));
        assert_eq!(
            read("Mon, 05 Jan 2026 10:11:17 GMT"),
            Some(Duration::from_secs(5))
        );
        assert_eq!(read("Mon, 05 Jan 2026 10:11:07 GMT"), Some(Duration::ZERO));
        for wrong in ["", "soon", "-1", "1.5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
