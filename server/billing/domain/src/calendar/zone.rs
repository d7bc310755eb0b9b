//! The time zone whose clocks decide when a period ends.

use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::BillingError;

/// The most characters of a zone's name; the longest of the database has 32.
const LONGEST_NAME: usize = 64;

/// A time zone of the IANA database, such as `Europe/Berlin`. The rules are those that the program brings along, so that all
/// servers of an installation reckon alike.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// Coordinated universal time.
    pub fn utc() -> Self {
        Zone(TimeZone::UTC)
    }

    /// Reads a name. Capitals don't matter; the name is kept as the database writes it.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming `time_zone`.
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        Zone::find(name).ok_or_else(|| {
            Refusal::invalid_format(
                "time_zone",
                "a name of the IANA time zone database, such as Europe/Berlin",
            )
        })
    }

    fn find(name: &str) -> Option<Self> {
        if name.len() > LONGEST_NAME {
            return None;
        }
        let zone = TimeZone::get(name).ok()?;
        let is_named = zone.iana_name().is_some() && !zone.is_unknown();
        is_named.then_some(Zone(zone))
    }

    /// Its name in the database.
    pub fn as_str(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The day that the calendar shows at this moment, such as `2027-01-31`.
    pub fn date(&self, moment: Timestamp) -> String {
        self.wall(moment)
            .map(|wall| wall.date().to_string())
            .unwrap_or_default()
    }

    /// What the clocks show at this moment.
    pub(super) fn wall(&self, moment: Timestamp) -> Result<DateTime, BillingError> {
        jiff::Timestamp::from_microsecond(moment.as_micros())
            .map(|moment| self.0.to_datetime(moment))
            .map_err(|_| BillingError::BeyondCalendar)
    }

    /// The moment at which the clocks show this: the first of two; where clocks are put forward over it, what they show
    /// then, later by as much as they were put forward (as RFC 5545 has it).
    pub(super) fn moment(&self, wall: DateTime) -> Result<Timestamp, BillingError> {
        self.0
            .to_ambiguous_timestamp(wall)
            .compatible()
            .map(|moment| Timestamp::from_micros(moment.as_microsecond()))
            .map_err(|_| BillingError::BeyondCalendar)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({self})")
    }
}

/// The stored form: the name.
impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Zone::find(&name).ok_or_else(|| serde::de::Error::custom("not a time zone"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_by_name_and_stored_by_it() {
        for (given, kept) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("america/new_york", "America/New_York"),
            ("UTC", "UTC"),
            ("Asia/Kathmandu", "Asia/Kathmandu"),
        ] {
            let zone = Zone::parse(given).expect(given);
            assert_eq!(zone.as_str(), kept);
            let stored = serde_json::to_string(&zone).expect("a text");
            assert_eq!(serde_json::from_str::<Zone>(&stored).ok(), Some(zone));
        }
        assert_eq!(Zone::utc().as_str(), "UTC");
    }

    #[test]
    fn the_day_is_the_one_of_the_place() {
        let evening = Timestamp::parse_rfc3339("2027-02-01T04:30:00Z").expect("a moment");
        for (zone, day) in [
            ("UTC", "2027-02-01"),
            ("America/New_York", "2027-01-31"),
            ("Asia/Tokyo", "2027-02-01"),
        ] {
            assert_eq!(Zone::parse(zone).expect(zone).date(evening), day);
        }
    }

    #[test]
    fn what_is_no_zone_is_refused_by_name() {
        let long = "A/".repeat(40);
        for name in [
            "",
            "Mars/Olympus",
            "+01:00",
            "EST5EDT,M3.2.0,M11.1.0",
            "Etc/Unknown",
            "../etc/passwd",
            &long,
        ] {
            assert!(
                matches!(Zone::parse(name), Err(Refusal::InvalidFormat { member, .. }) if member == "time_zone"),
                "{name}"
            );
        }
    }
}
