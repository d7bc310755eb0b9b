//! The refused charges of a saved method, counted over all invoices of one subscription. The networks' limits and the
//! issuers' advice apply to the card, not to one invoice.

use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::record_object::record_object;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::dunning::{DunningSchedule, GiveUp, NextAttempt, RetryAdvice};

/// The maximum number of unsuccessful attempts in `WINDOW` seconds that the card networks allow for a card.
pub const MOST_REFUSALS: usize = 15;
const WINDOW: i64 = 30 * 86_400;

record_object! {
    /// The refusals of one saved method.
    #[derive(Eq)]
    pub struct Refusals {
        payment_method_id: PaymentMethodId,
        /// The times of the refusals in the last thirty days, the oldest first.
        at: Vec<Timestamp>,
        /// True if an issuer, network or processor forbade any further charge.
        is_forbidden: bool,
    } and maybe {
        /// The time of the next charge by the dunning schedule.
        again_at: Timestamp,
        /// The earliest time that the issuer's advice allows.
        not_before: Timestamp,
    }
}

/// The answer to the question when a saved method may be charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayCharge {
    Now,
    /// No earlier than this.
    Later(Timestamp),
    Never,
}

impl Refusals {
    /// Creates the record of a method that was never refused.
    pub fn none(of: PaymentMethodId) -> Self {
        Refusals {
            payment_method_id: of,
            at: Vec::new(),
            is_forbidden: false,
            again_at: None,
            not_before: None,
            unread: UnreadMembers::NONE,
        }
    }

    /// Returns when the method may be charged for any invoice.
    pub fn may_charge(&self, now: Timestamp) -> MayCharge {
        if self.is_forbidden {
            return MayCharge::Never;
        }
        let room = match self.recent(now) {
            recent if recent.len() < MOST_REFUSALS => None,
            recent => recent[recent.len() - MOST_REFUSALS].plus_seconds(WINDOW),
        };
        let dates = [self.again_at, self.not_before, room];
        match dates.into_iter().flatten().max().filter(|at| *at > now) {
            None => MayCharge::Now,
            Some(at) => MayCharge::Later(at),
        }
    }

    /// Records a refusal at this moment.
    pub fn note(&mut self, now: Timestamp, advice: RetryAdvice) {
        match advice {
            RetryAdvice::MayRetry => {}
            RetryAdvice::NotBefore(at) => self.not_before = self.not_before.max(Some(at)),
            RetryAdvice::DoNotRetry => self.is_forbidden = true,
            RetryAdvice::NotWanted => return,
        }
        self.at = self.recent(now).to_vec();
        self.at.push(now);
        let beyond = self.at.len().saturating_sub(MOST_REFUSALS);
        self.at.drain(..beyond);
    }

    /// Sets and returns the next attempt after the latest refusal. `failures` counts the failed attempts of all
    /// invoices that are being retried with this method, including this one.
    pub fn next(
        &mut self,
        failures: u32,
        now: Timestamp,
        advice: RetryAdvice,
        schedule: &DunningSchedule,
    ) -> NextAttempt {
        let next = schedule.next(failures, now, advice);
        let is_full = self.at.len() >= MOST_REFUSALS;
        let next = match next {
            NextAttempt::At(_) if is_full => NextAttempt::GiveUp(GiveUp::Exhausted),
            NextAttempt::At(_) | NextAttempt::GiveUp(_) => next,
        };
        self.again_at = match next {
            NextAttempt::At(at) => Some(at),
            NextAttempt::GiveUp(_) => None,
        };
        next
    }

    /// Lifts every ban and wait after the method has paid. The counted refusals stay.
    pub fn approve(&mut self) {
        self.permit();
        self.not_before = None;
    }

    /// Lifts the ban on charges, because the merchant asked for one and takes responsibility. The earliest time and the
    /// number of attempts stay limited.
    pub fn permit(&mut self) {
        self.restart_schedule();
        self.is_forbidden = false;
    }

    /// Restarts the dunning schedule.
    pub fn restart_schedule(&mut self) {
        self.again_at = None;
    }

    /// Checks whether the record has nothing worth storing.
    pub fn is_nothing(&self, now: Timestamp) -> bool {
        self.recent(now).is_empty() && self.may_charge(now) == MayCharge::Now
    }

    fn recent(&self, now: Timestamp) -> &[Timestamp] {
        let is_old = |at: &Timestamp| now.seconds_since(*at) >= WINDOW;
        let first = self.at.partition_point(is_old);
        &self.at[first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::EPOCH
            .plus_seconds(hours * 3_600)
            .expect("in range")
    }

    fn none() -> Refusals {
        Refusals::none(PaymentMethodId::parse("pm_1").expect("an id"))
    }

    /// Refuses one charge and returns the next attempt.
    fn refused(
        refusals: &mut Refusals,
        failures: u32,
        now: Timestamp,
        advice: RetryAdvice,
    ) -> NextAttempt {
        let schedule: DunningSchedule = "1d, 3d".parse().expect("a schedule");
        refusals.note(now, advice);
        refusals.next(failures, now, advice, &schedule)
    }

    #[test]
    fn a_refused_method_waits_for_its_schedule() {
        let mut refusals = none();
        let may = RetryAdvice::MayRetry;
        assert_eq!(refusals.may_charge(at(0)), MayCharge::Now);
        let next = refused(&mut refusals, 1, at(0), may);
        assert_eq!(next, NextAttempt::At(at(24)));
        assert_eq!(refusals.may_charge(at(1)), MayCharge::Later(at(24)));
        assert_eq!(refusals.may_charge(at(24)), MayCharge::Now);
        let next = refused(&mut refusals, 2, at(24), may);
        assert_eq!(next, NextAttempt::At(at(96)));
        let next = refused(&mut refusals, 3, at(96), may);
        assert_eq!(next, NextAttempt::GiveUp(GiveUp::Exhausted));
        assert!(!refusals.is_nothing(at(96)), "it counts for a month");
        assert!(refusals.is_nothing(at(96 + 30 * 24)));
    }

    #[test]
    fn advice_holds_for_whatever_is_charged() {
        let mut refusals = none();
        let next = refused(&mut refusals, 1, at(0), RetryAdvice::NotBefore(at(48)));
        assert_eq!(next, NextAttempt::At(at(48)));
        // The merchant can't shorten the wait that the issuer asked for.
        refusals.permit();
        assert_eq!(refusals.may_charge(at(1)), MayCharge::Later(at(48)));
        let never = refused(&mut refusals, 2, at(48), RetryAdvice::DoNotRetry);
        assert_eq!(never, NextAttempt::GiveUp(GiveUp::Forbidden));
        refusals.restart_schedule();
        assert_eq!(refusals.may_charge(at(1_000)), MayCharge::Never);
        refusals.permit();
        assert_eq!(refusals.may_charge(at(1_000)), MayCharge::Now);
    }

    proptest! {
        /// Payments and merchants' requests in between never raise the refusals above the networks' limit.
        #[test]
        fn no_month_has_more_refusals_than_allowed(
            acts in proptest::collection::vec((0_i64..40, 0_u8..6), 1..200),
        ) {
            let mut refusals = none();
            let (mut now, mut all) = (0, Vec::new());
            for (hours, act) in acts {
                now += hours;
                match act {
                    0 => refusals.approve(),
                    1 => refusals.permit(),
                    2.. => {}
                }
                if refusals.may_charge(at(now)) != MayCharge::Now {
                    continue;
                }
                refused(&mut refusals, 1, at(now), RetryAdvice::MayRetry);
                all.push(now);
                let month = all.iter().filter(|then| now - **then < 30 * 24);
                prop_assert!(month.count() <= MOST_REFUSALS);
            }
        }
    }
}
