//! The retry schedule after a failed charge.

use std::fmt;
use std::str::FromStr;

use multirail_domain::webhooks::webhook::{RetrySchedule, UnreadableSchedule};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Decline;
use multirail_sdk::connector::advice::ErrorCategory;

/// The maximum number of retries of one invoice. The card networks allow 15 attempts in 30 days, including the first.
pub const MOST_RETRIES: u32 = 10;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The pauses between the attempts of an invoice, written as `1d, 3d, 2x5d`. With `none` there are no retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DunningSchedule(RetrySchedule);

/// The error for a text that is not a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must list pauses such as \"1d, 3d, 2x5d\" (s, m, h or d; at most {MOST_RETRIES} pauses of at most 30 days each), or be \"none\""
)]
pub struct UnreadableDunning;

/// Advice of the network or the processor about a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAdvice {
    MayRetry,
    NotBefore(Timestamp),
    DoNotRetry,
    /// The payer or the merchant didn't want this payment, so it isn't retried. The payment method itself was not
    /// refused.
    NotWanted,
}

/// The next step after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAttempt {
    At(Timestamp),
    GiveUp(GiveUp),
}

/// The reason for making no further attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiveUp {
    /// The network, the issuer, the processor, the payer or the merchant forbids it.
    Forbidden,
    /// All attempts were made.
    Exhausted,
}

impl DunningSchedule {
    /// Returns the next step after `attempts_failed` attempts including the first, of which the last failed at
    /// `failed_at`.
    pub fn next(
        &self,
        attempts_failed: u32,
        failed_at: Timestamp,
        advice: RetryAdvice,
    ) -> NextAttempt {
        let earliest = match advice {
            RetryAdvice::DoNotRetry | RetryAdvice::NotWanted => {
                return NextAttempt::GiveUp(GiveUp::Forbidden);
            }
            RetryAdvice::NotBefore(moment) => moment,
            RetryAdvice::MayRetry => failed_at,
        };
        self.0
            .pause_before(attempts_failed)
            .and_then(|pause| failed_at.plus_seconds(pause))
            .map_or(NextAttempt::GiveUp(GiveUp::Exhausted), |due| {
                NextAttempt::At(due.max(earliest))
            })
    }
}

/// The default of four retries in sixteen days.
impl Default for DunningSchedule {
    fn default() -> Self {
        "1d, 3d, 5d, 7d".parse().expect("a schedule")
    }
}

impl FromStr for DunningSchedule {
    type Err = UnreadableDunning;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let schedule: RetrySchedule = text
            .parse()
            .map_err(|_: UnreadableSchedule| UnreadableDunning)?;
        if schedule.retries() > MOST_RETRIES {
            return Err(UnreadableDunning);
        }
        Ok(DunningSchedule(schedule))
    }
}

impl fmt::Display for DunningSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl RetryAdvice {
    /// Reads from a decline whether a retry is forbidden or must wait. A decline without advice may be retried.
    pub fn from_decline(decline: &Decline, failed_at: Timestamp) -> Self {
        let category = decline
            .advice
            .as_deref()
            .and_then(|advice| advice.error_category);
        if decline.forbids_another_try() || category == Some(ErrorCategory::HardDecline) {
            return RetryAdvice::DoNotRetry;
        }
        let issuer = decline.issuer.as_deref();
        let code = issuer.and_then(|issuer| issuer.advice_code.as_deref());
        code.and_then(least_pause)
            .and_then(|pause| failed_at.plus_seconds(pause))
            .map_or(RetryAdvice::MayRetry, RetryAdvice::NotBefore)
    }
}

/// Returns the minimum wait in seconds of a Mastercard merchant advice code.
fn least_pause(code: &str) -> Option<i64> {
    match code.trim() {
        "24" => Some(HOUR),
        "25" => Some(DAY),
        "26" => Some(2 * DAY),
        "27" => Some(4 * DAY),
        "28" => Some(6 * DAY),
        "29" => Some(8 * DAY),
        "30" => Some(10 * DAY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_domain::operations::error_mapping::advise;
    use multirail_sdk::connector::{DeclineCategory, IssuerWords};
    use proptest::prelude::*;

    fn at(days: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(days * DAY).expect("in range")
    }

    #[test]
    fn tries_follow_the_schedule_until_it_is_used_up() {
        let schedule = DunningSchedule::default();
        assert_eq!(schedule.to_string(), "1d, 3d, 5d, 7d");
        let mut now = at(0);
        let mut tries = Vec::new();
        for failed in 1.. {
            match schedule.next(failed, now, RetryAdvice::MayRetry) {
                NextAttempt::At(next) => {
                    tries.push(next);
                    now = next;
                }
                NextAttempt::GiveUp(why) => {
                    assert_eq!(why, GiveUp::Exhausted);
                    break;
                }
            }
        }
        assert_eq!(tries, [at(1), at(4), at(9), at(16)]);
        let none: DunningSchedule = "none".parse().expect("a schedule");
        let next = none.next(1, at(0), RetryAdvice::MayRetry);
        assert_eq!(next, NextAttempt::GiveUp(GiveUp::Exhausted));
    }

    #[test]
    fn advice_is_obeyed() {
        let schedule = DunningSchedule::default();
        let forbidden = schedule.next(1, at(0), RetryAdvice::DoNotRetry);
        assert_eq!(forbidden, NextAttempt::GiveUp(GiveUp::Forbidden));
        let later = schedule.next(1, at(0), RetryAdvice::NotBefore(at(2)));
        assert_eq!(later, NextAttempt::At(at(2)));
        let sooner = schedule.next(2, at(0), RetryAdvice::NotBefore(at(2)));
        assert_eq!(sooner, NextAttempt::At(at(3)), "the schedule is later");
        let used_up = schedule.next(5, at(0), RetryAdvice::NotBefore(at(2)));
        assert_eq!(used_up, NextAttempt::GiveUp(GiveUp::Exhausted));
    }

    fn declined(category: Option<DeclineCategory>, advice_code: Option<&str>) -> Decline {
        let mut decline = Decline {
            category,
            ..Decline::default()
        };
        decline.issuer = Some(Box::new(IssuerWords {
            advice_code: advice_code.map(str::to_owned),
            ..IssuerWords::default()
        }));
        advise(&mut decline, None);
        decline
    }

    #[test]
    fn advice_is_read_from_what_the_issuer_and_the_mapping_say() {
        let table = [
            (None, None, RetryAdvice::MayRetry),
            (
                Some(DeclineCategory::InsufficientFunds),
                None,
                RetryAdvice::MayRetry,
            ),
            (
                Some(DeclineCategory::CardLostOrStolen),
                None,
                RetryAdvice::DoNotRetry,
            ),
            (
                Some(DeclineCategory::InsufficientFunds),
                Some("03"),
                RetryAdvice::DoNotRetry,
            ),
            (
                Some(DeclineCategory::InsufficientFunds),
                Some("26"),
                RetryAdvice::NotBefore(at(2)),
            ),
            (None, Some("30"), RetryAdvice::NotBefore(at(10))),
            (None, Some("99"), RetryAdvice::MayRetry),
        ];
        for (category, code, expected) in table {
            let decline = declined(category, code);
            assert_eq!(
                RetryAdvice::from_decline(&decline, at(0)),
                expected,
                "{category:?} {code:?}"
            );
        }
    }

    #[test]
    fn an_invalid_schedule_is_refused() {
        for text in ["", "11x1d", "6x1d, 5x1h", "31d", "tomorrow"] {
            assert_eq!(
                text.parse::<DunningSchedule>(),
                Err(UnreadableDunning),
                "{text}"
            );
        }
        assert!("10x1d".parse::<DunningSchedule>().is_ok());
    }

    proptest! {
        #[test]
        fn a_try_is_never_earlier_than_allowed(failed in 0_u32..20, pause in 0_i64..100, now in 0_i64..1_000) {
            let (now, earliest) = (at(now), at(now + pause));
            match DunningSchedule::default().next(failed, now, RetryAdvice::NotBefore(earliest)) {
                NextAttempt::At(next) => {
                    prop_assert!((1..=4).contains(&failed));
                    prop_assert!(next > now && next >= earliest);
                }
                NextAttempt::GiveUp(why) => prop_assert_eq!(why, GiveUp::Exhausted),
            }
        }
    }
}
