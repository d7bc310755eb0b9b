//! Computes the periods of a subscription from its anchor and a period number.

use jiff::Span;
use multirail_kernel::record_object::is_zero;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Interval, IntervalUnit, Period, Zone};
use crate::BillingError;

/// The anchor, length and time zone of a subscription's periods. A stored schedule with unknown members is refused,
/// because they could change the dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The moment from which periods are counted.
    pub anchor: Timestamp,
    /// Days from the anchor to the start of the first period: the length of the trial.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lead_days: u16,
    pub interval: Interval,
    pub zone: Zone,
}

impl Schedule {
    /// Creates a schedule whose first period begins at the anchor.
    pub fn new(anchor: Timestamp, interval: Interval, zone: Zone) -> Self {
        Schedule {
            anchor,
            lead_days: 0,
            interval,
            zone,
        }
    }

    /// Returns the start of period `k`, counted from 0, which is also the end of period `k - 1`.
    ///
    /// The start is always computed from the anchor's local date and time, so dates don't drift: 31 January, 28
    /// February, 31 March. A day that the month doesn't have becomes the month's last day. A time of day that a clock
    /// change skips moves forward by the length of the change, in that period only.
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

    /// Returns period `k`, counted from 0. It is empty only where a country skipped whole days of the calendar.
    ///
    /// # Errors
    /// The same as [`Schedule::boundary`].
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
