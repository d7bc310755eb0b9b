//! The length of a billing period.

use serde::{Deserialize, Serialize};

use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;

words! {
    /// The units that periods are counted in. (Facts 7.11)
    pub enum IntervalUnit {
        Day = "day",
        Week = "week",
        Month = "month",
        Year = "year",
    }
}

impl IntervalUnit {
    /// Returns the largest count of this unit that one period may have: three years.
    pub fn most(self) -> u16 {
        match self {
            IntervalUnit::Day => 1_095,
            IntervalUnit::Week => 156,
            IntervalUnit::Month => 36,
            IntervalUnit::Year => 3,
        }
    }
}

/// The length of a period: `count` units. A stored interval with unknown members is refused, because they could change
/// its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    pub unit: IntervalUnit,
    /// 1 or more.
    pub count: u16,
}

impl Interval {
    /// Creates an interval of `count` units, from one day to three years.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `interval_count`.
    pub fn new(unit: IntervalUnit, count: u16) -> Result<Self, Refusal> {
        if (1..=unit.most()).contains(&count) {
            Ok(Interval { unit, count })
        } else {
            Err(Refusal::invalid_format(
                "interval_count",
                format!("1 to {} of the unit {unit}", unit.most()),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_lasts_from_one_day_to_three_years() {
        for unit in IntervalUnit::ALL {
            assert!(Interval::new(*unit, 1).is_ok());
            assert!(Interval::new(*unit, unit.most()).is_ok());
            for count in [0, unit.most() + 1, u16::MAX] {
                assert!(matches!(
                    Interval::new(*unit, count),
                    Err(Refusal::InvalidFormat { member, .. }) if member == "interval_count"
                ));
            }
        }
    }
}
