//! When an endpoint is not tried any more.

use crate::timestamp::Timestamp;

/// An endpoint is only paused after this many failed tries in a row, however long they took.
const LEAST_FAILURES: i64 = 10;

/// Whether an endpoint that took nothing since `failing_since`, in that many tries, is to be paused: after so many
/// seconds, or never where they are 0.
pub fn is_to_be_paused(
    failing_since: Option<Timestamp>,
    failures: i64,
    now: Timestamp,
    pause_after_seconds: i64,
) -> bool {
    pause_after_seconds > 0
        && failures >= LEAST_FAILURES
        && failing_since.is_some_and(|since| now.seconds_since(since) >= pause_after_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_both_time_and_tries() {
        let start = Timestamp::EPOCH;
        let after = |seconds| start.plus_seconds(seconds).expect("in range");
        let day = 86_400;
        let ask = |failures, now| is_to_be_paused(Some(start), failures, now, 5 * day);
        assert!(ask(10, after(5 * day)));
        assert!(!ask(9, after(50 * day)), "too few tries");
        assert!(!ask(10_000, after(5 * day - 1)), "too early");
        assert!(!is_to_be_paused(None, 0, after(day), 1), "all is well");
        assert!(!is_to_be_paused(Some(start), 99, after(99 * day), 0));
    }
}
