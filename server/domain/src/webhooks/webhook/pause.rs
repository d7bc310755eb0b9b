//! The pause of endpoints that fail for too long.

use multirail_kernel::timestamp::Timestamp;

use crate::webhooks::webhook::Exchange;

/// The least number of failed attempts in a row before an endpoint is paused, however long they took.
const LEAST_FAILURES: i64 = 10;

/// Returns whether an attempt pauses its endpoint: at once if the endpoint is gone, else if it has failed for too long.
pub fn is_to_be_paused(
    exchange: &Exchange,
    failing_since: Option<Timestamp>,
    failures: i64,
    now: Timestamp,
    pause_after_seconds: i64,
) -> bool {
    exchange.is_gone() || has_failed_too_long(failing_since, failures, now, pause_after_seconds)
}

/// Returns whether an endpoint has failed for `pause_after_seconds` or longer and in enough attempts. 0 seconds switch the
/// pause off.
fn has_failed_too_long(
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
        let ask = |failures, now| has_failed_too_long(Some(start), failures, now, 5 * day);
        assert!(ask(10, after(5 * day)));
        assert!(!ask(9, after(50 * day)), "too few tries");
        assert!(!ask(10_000, after(5 * day - 1)), "too early");
        assert!(!has_failed_too_long(None, 0, after(day), 1), "all is well");
        assert!(!has_failed_too_long(Some(start), 99, after(99 * day), 0));
    }

    #[test]
    fn an_endpoint_that_is_gone_is_paused_at_once() {
        let answered = |status| Exchange {
            status_code: Some(status),
            ..Exchange::default()
        };
        let ask = |status| is_to_be_paused(&answered(status), None, 1, Timestamp::EPOCH, 0);
        assert!(ask(410));
        assert!(!ask(404));
        assert!(!ask(503));
    }
}
