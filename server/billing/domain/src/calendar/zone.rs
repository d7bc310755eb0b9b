//! The time zone in whose local time periods end.

use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::BillingError;

/// The maximum length of a zone's name in characters. The longest name in the database has 32.
const LONGEST_NAME: usize = 64;

/// A time zone of the IANA database, such as `Europe/Berlin`. The program contains the rules, so all servers of an
/// installation compute the same dates.
#[derive(Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// Returns coordinated universal time.
    pub fn utc() -> Self {
        Zone(TimeZone::UTC)
    }

    /// Parses a name without regard to case and stores it in the spelling of the database.
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

    /// Returns the zone's name in the database.
    pub fn as_str(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Returns the local date at this moment, such as `2027-01-31`.
    pub fn date(&self, moment: Timestamp) -> String {
        self.wall(moment)
            .map(|wall| wall.date().to_string())
            .unwrap_or_default()
    }

    /// Returns the local date and time at this moment.
    pub(super) fn wall(&self, moment: Timestamp) -> Result<DateTime, BillingError> {
        jiff::Timestamp::from_microsecond(moment.as_micros())
            .map(|moment| self.0.to_datetime(moment))
            .map_err(|_| BillingError::BeyondCalendar)
    }

    /// Returns the moment at which the local clocks show this time.
    ///
    /// If the time occurs twice, the first moment counts. If a clock change skips the time, the moment is later by the
    /// length of the change (RFC 5545).
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

/// Stores the zone by its name.
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
    fn an_unknown_zone_is_refused_by_name() {
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
