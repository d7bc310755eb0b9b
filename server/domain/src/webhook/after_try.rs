//! What follows from a try.

use super::{Exchange, Jitter, RetrySchedule};
use crate::random::Random;
use crate::timestamp::Timestamp;

/// What becomes of a delivery after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterTry {
    /// The endpoint took it.
    Delivered,
    /// The next try is due then.
    RetryAt(Timestamp),
    /// The schedule is used up: nothing more happens by itself.
    GaveUp,
}

/// What follows from a try.
///
/// `retries_done`: the automatic retries of the present schedule so far, this try included.
pub fn after_try(
    schedule: &RetrySchedule,
    retries_done: u32,
    exchange: &Exchange,
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
            AfterTry::RetryAt(Timestamp::from_micros(
                now.as_micros().saturating_add(pause),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRandom;

    fn answered(status: u16) -> Exchange {
        Exchange {
            status_code: Some(status),
            ..Exchange::default()
        }
    }

    fn follow(retries_done: u32, exchange: &Exchange) -> AfterTry {
        let schedule = "1m, 2x5m".parse().expect("a schedule");
        let random = SeededRandom::new(1);
        let now = Timestamp::EPOCH;
        after_try(&schedule, retries_done, exchange, now, Jitter(0), &random)
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
    fn an_exchange_prints_no_headers() {
        let header = ("authorization".to_owned(), "Basic abc".to_owned());
        let shown = format!("{:?}", Exchange::failed(vec![header], "refused"));
        assert!(!shown.contains("Basic"), "{shown}");
    }
}
