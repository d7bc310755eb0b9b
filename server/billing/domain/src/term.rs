//! The term that a subscription is billed for now, and the next one.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::BillingError;
use super::calendar::{Interval, Period, Schedule, Zone};

/// The maximum length of a trial in days.
pub const LONGEST_TRIAL_DAYS: u16 = 730;

words! {
    /// The kind of a term.
    pub enum TermKind {
        /// A free trial.
        Trial = "trial",
        /// A period at the full price.
        Paid = "paid",
    }
}

/// A trial or a billing period of a subscription, with dates that were computed when it began.
///
/// The term is stored, and the next one starts at its end even if the time zone's rules have changed. So no time is
/// billed twice or left out. A stored term with unknown members is refused, because they could change its dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub schedule: Schedule,
    /// The number of the period in the schedule, from 0. A trial also has 0.
    pub index: u32,
    pub period: Period,
    pub kind: TermKind,
}

impl Term {
    /// Returns the first billing period of a schedule.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`].
    pub fn first(schedule: Schedule) -> Result<Self, BillingError> {
        let start = schedule.boundary(0)?;
        Term::paid(schedule, start, 0)
    }

    /// Returns a trial of this many local days. The first billing period follows it.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`].
    pub fn trial(
        start: Timestamp,
        days: u16,
        interval: Interval,
        zone: Zone,
    ) -> Result<Self, BillingError> {
        let schedule = Schedule {
            anchor: start,
            lead_days: days,
            interval,
            zone,
        };
        let end = schedule.boundary(0)?;
        Ok(Term {
            schedule,
            index: 0,
            period: Period { start, end },
            kind: TermKind::Trial,
        })
    }

    /// Returns the billing period after this term.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`].
    pub fn next(&self) -> Result<Self, BillingError> {
        let index = match self.kind {
            TermKind::Trial => 0,
            TermKind::Paid => self
                .index
                .checked_add(1)
                .ok_or(BillingError::BeyondCalendar)?,
        };
        Term::paid(self.schedule.clone(), self.period.end, index)
    }

    /// Restarts the schedule with this moment as its anchor, after a pause or for periods of another length or zone.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`].
    pub fn restart(
        &self,
        at: Timestamp,
        interval: Interval,
        zone: Zone,
    ) -> Result<Self, BillingError> {
        Term::first(Schedule::new(at, interval, zone))
    }

    /// Returns the term shortened to end at this moment, after a pause or cancellation. A term that is over stays
    /// unchanged.
    pub fn cut(&self, at: Timestamp) -> Self {
        let mut cut = self.clone();
        cut.period.end = at.clamp(self.period.start, self.period.end.max(self.period.start));
        cut
    }

    /// Returns the term from `start` to the next boundary and skips empty periods of the schedule.
    fn paid(schedule: Schedule, start: Timestamp, mut index: u32) -> Result<Self, BillingError> {
        loop {
            let next = index.checked_add(1).ok_or(BillingError::BeyondCalendar)?;
            let end = schedule.boundary(next)?;
            if end > start {
                return Ok(Term {
                    schedule,
                    index,
                    period: Period { start, end },
                    kind: TermKind::Paid,
                });
            }
            index = next;
        }
    }
}

/// Checks the days of a caller's trial; 0 means none.
///
/// # Errors
/// [`Refusal::InvalidFormat`] naming `trial_period`.
pub fn check_trial_days(days: u16) -> Result<(), Refusal> {
    if days > LONGEST_TRIAL_DAYS {
        return Err(Refusal::invalid_format(
            "trial_period",
            format!("0 to {LONGEST_TRIAL_DAYS} days"),
        ));
    }
    Ok(())
}
