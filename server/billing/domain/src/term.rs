//! The stretch of time that a subscription is billed for now, and the one after it.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::BillingError;
use super::calendar::{Interval, Period, Schedule, Zone};

/// How many days a trial may have.
pub const LONGEST_TRIAL_DAYS: u16 = 730;

words! {
    /// What a term costs.
    pub enum TermKind {
        /// Nothing.
        Trial = "trial",
        /// The price.
        Paid = "paid",
    }
}

/// A trial or a billing period of a subscription, as it was reckoned when it began. It is stored, and the next one starts
/// where this one ends, even if the rules of the time zone have changed in between: so no time is billed twice or left out.
/// A stored one with other members is refused: without them it would be about other dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub schedule: Schedule,
    /// Which period of the schedule; 0 for a trial, which is before the first.
    pub index: u32,
    pub period: Period,
    pub kind: TermKind,
}

impl Term {
    /// The first billing period of a schedule.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`].
    pub fn first(schedule: Schedule) -> Result<Self, BillingError> {
        let start = schedule.boundary(0)?;
        Term::paid(schedule, start, 0)
    }

    /// A trial of so many days by the zone's clocks. The first billing period follows it.
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

    /// The billing period after this one.
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

    /// Begins anew at this moment, which is the anchor from now on: resumed, or with periods of another length or zone.
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

    /// The same term, ended at this moment: paused or cancelled within it. What was over stays as it was.
    pub fn cut(&self, at: Timestamp) -> Self {
        let mut cut = self.clone();
        cut.period.end = at.clamp(self.period.start, self.period.end.max(self.period.start));
        cut
    }

    /// From `start` to the next boundary after it. Empty periods of the schedule are passed over.
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

/// Days of a trial as a caller gives them; 0 is none.
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
