//! The decision after a delivery attempt.

use multirail_kernel::random::Random;
use multirail_kernel::timestamp::Timestamp;

use super::{Exchange, Jitter, RetrySchedule};

/// The state of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterTry {
    /// The endpoint accepted it.
    Delivered,
    /// The next attempt is due at this moment.
    RetryAt(Timestamp),
    /// The schedule is used up: there are no more automatic retries.
    GaveUp,
}

/// Decides about the next attempt.
///
/// `retries_done` counts the automatic retries of the present schedule, with this attempt. `asked_for` is the endpoint's
/// `Retry-After` in seconds; it counts if the schedule would be faster.
pub fn after_try(
    schedule: &RetrySchedule,
    retries_done: u32,
    exchange: &Exchange,
    asked_for: Option<i64>,
    now: Timestamp,
    jitter: Jitter,
    random: &dyn Random,
) -> AfterTry {
    if exchange.is_delivered() {
        return AfterTry::Delivered;
    }
    match schedule.pause_before(retries_done.saturating_add(1)) {
        None => AfterTry::GaveUp,
        Some(seconds) => {
            let pause = jitter.draw_out(seconds, random);
            let asked_for = asked_for.unwrap_or(0).saturating_mul(1_000_000);
            let pause = pause.max(asked_for);
            AfterTry::RetryAt(Timestamp::from_micros(
                now.as_micros().saturating_add(pause),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::random::SeededRandom;

    fn answered(status: u16) -> Exchange {
        Exchange {
            status_code: Some(status),
            ..Exchange::default()
        }
    }

    fn follow(retries_done: u32, exchange: &Exchange) -> AfterTry {
        follow_asked(retries_done, exchange, None)
    }

    fn follow_asked(retries_done: u32, exchange: &Exchange, asked_for: Option<i64>) -> AfterTry {
        let schedule = "1m, 2x5m".parse().expect("a schedule");
        let random = SeededRandom::new(1);
        let now = Timestamp::EPOCH;
        after_try(
            &schedule,
            retries_done,
            exchange,
            asked_for,
            now,
            Jitter(0),
            &random,
        )
    }

    fn at(seconds: i64) -> AfterTry {
        AfterTry::RetryAt(Timestamp::EPOCH.plus_seconds(seconds).expect("in range"))
    }

    #[test]
    fn any_2xx_delivers_at_any_time() {
        for status in [200, 201, 204, 299] {
            assert_eq!(follow(0, &answered(status)), AfterTry::Delivered);
            assert_eq!(follow(9, &answered(status)), AfterTry::Delivered);
        }
    }

    #[test]
    fn everything_else_is_retried_until_the_schedule_is_used_up() {
        let no_answer = Exchange::failed(Vec::new(), "timed out");
        for exchange in [
            answered(100),
            answered(199),
            answered(302),
            answered(410),
            answered(503),
            no_answer,
        ] {
            assert_eq!(follow(0, &exchange), at(60), "{exchange:?}");
            assert_eq!(follow(1, &exchange), at(300));
            assert_eq!(follow(2, &exchange), at(300));
            assert_eq!(follow(3, &exchange), AfterTry::GaveUp);
            assert_eq!(follow(u32::MAX, &exchange), AfterTry::GaveUp);
        }
    }

    #[test]
    fn a_longer_pause_of_the_endpoint_counts() {
        let busy = answered(503);
        assert_eq!(follow_asked(0, &busy, Some(90)), at(90));
        assert_eq!(follow_asked(0, &busy, Some(5)), at(60));
        assert_eq!(follow_asked(1, &busy, Some(90)), at(300));
        assert_eq!(follow_asked(3, &busy, Some(90)), AfterTry::GaveUp);
        assert_eq!(
            follow_asked(0, &answered(200), Some(90)),
            AfterTry::Delivered
        );
    }

    #[test]
    fn an_exchange_prints_no_headers() {
        let header = ("authorization".to_owned(), "Basic abc".to_owned());
        let shown = format!("{:?}", Exchange::failed(vec![header], "refused"));
        assert!(!shown.contains("Basic"), "{shown}");
    }
}
