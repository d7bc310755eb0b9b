//! The periods of a subscription, as a function of where it began and a number.

use jiff::Span;
use multirail_kernel::record_object::is_zero;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Interval, IntervalUnit, Period, Zone};
use crate::BillingError;

/// From when on, how long and by whose clocks. A stored one with other members is refused: without them it would be about
/// other dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Where days are counted from.
    pub anchor: Timestamp,
    /// How many days after the anchor the first period begins: those of a trial.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lead_days: u16,
    pub interval: Interval,
    pub zone: Zone,
}

impl Schedule {
    /// Periods that begin at the anchor.
    pub fn new(anchor: Timestamp, interval: Interval, zone: Zone) -> Self {
        Schedule {
            anchor,
            lead_days: 0,
            interval,
            zone,
        }
    }

    /// When period `k` starts, counted from 0, which is when period `k - 1` ends. Always reckoned from the anchor, by the
    /// date and the time of day that the zone's clocks showed then: 31 January is followed by 28 February and 31 March. A
    /// day that the month doesn't have becomes its last one; a time of day that the clocks leave out comes later by as much
    /// as they are put forward, and returns to its own the next time.
    ///
    /// # Errors
    /// [`BillingError::BeyondCalendar`] after the year 9999.
    pub fn boundary(&self, k: u32) -> Result<Timestamp, BillingError> {
        if k == 0 && self.lead_days == 0 {
            return Ok(self.anchor);
        }
        let steps = i64::from(k) * i64::from(self.interval.count);
        let span = match self.interval.unit {
            IntervalUnit::Day => Span::new().try_days(steps),
            IntervalUnit::Week => Span::new().try_weeks(steps),
            IntervalUnit::Month => Span::new().try_months(steps),
            IntervalUnit::Year => Span::new().try_years(steps),
        };
        let span = span.map_err(|_| BillingError::BeyondCalendar)?;
        let wall = self
            .zone
            .wall(self.anchor)?
            .checked_add(Span::new().days(self.lead_days))
            .and_then(|first| first.checked_add(span))
            .map_err(|_| BillingError::BeyondCalendar)?;
        self.zone.moment(wall)
    }

    /// Period `k`, counted from 0. It is empty only where a country leaves out whole days of the calendar.
    ///
    /// # Errors
    /// As [`Schedule::boundary`].
    pub fn period(&self, k: u32) -> Result<Period, BillingError> {
        let next = k.checked_add(1).ok_or(BillingError::BeyondCalendar)?;
        Ok(Period {
            start: self.boundary(k)?,
            end: self.boundary(next)?,
        })
    }
}

#[cfg(test)]
mod tests;
