//! Moments of business time: whole microseconds since 1970, passed in by the owner of the clock.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The first and the last moment of the wire format with its four-digit years.
const FIRST_MICROS: i64 = -62_167_219_200_000_000;
const LAST_MICROS: i64 = 253_402_300_799_999_999;

/// A moment, to the microsecond, from the year 0000 to the end of 9999. Shown with milliseconds, stored with
/// microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The error for a text that is not an RFC 3339 date-time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 date-time")]
pub struct InvalidTimestamp;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// Converts microseconds since 1970. A number out of range becomes the first or last moment.
    pub fn from_micros(micros: i64) -> Self {
        Timestamp(micros.clamp(FIRST_MICROS, LAST_MICROS))
    }

    /// Returns microseconds since 1970.
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// Converts a date-time and drops fractions of a microsecond.
    pub fn from_datetime(moment: DateTime<Utc>) -> Self {
        Timestamp::from_micros(moment.timestamp_micros())
    }

    /// Returns the moment as a date-time.
    pub fn to_datetime(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).expect("the range is within chrono's")
    }

    /// Parses a date-time such as `2026-01-31T23:59:59.999Z` or one with an offset.
    pub fn parse_rfc3339(text: &str) -> Result<Self, InvalidTimestamp> {
        let moment = DateTime::parse_from_rfc3339(text).map_err(|_| InvalidTimestamp)?;
        Ok(Timestamp::from_datetime(moment.with_timezone(&Utc)))
    }

    /// Returns the moment `seconds` later, or this moment if that is out of range.
    #[must_use]
    pub fn later(self, seconds: i64) -> Self {
        self.plus_seconds(seconds).unwrap_or(self)
    }

    /// Returns the moment `seconds` later, or `None` if that is out of range.
    pub fn plus_seconds(self, seconds: i64) -> Option<Self> {
        let micros = seconds
            .checked_mul(1_000_000)
            .and_then(|distance| self.0.checked_add(distance))?;
        (FIRST_MICROS..=LAST_MICROS)
            .contains(&micros)
            .then_some(Timestamp(micros))
    }

    /// Returns the whole seconds from `earlier` to this moment; negative if `earlier` is later.
    pub fn seconds_since(self, earlier: Timestamp) -> i64 {
        (self.0 - earlier.0) / 1_000_000
    }

    /// Returns whole seconds since 1970.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Returns whole milliseconds since 1970.
    pub fn unix_milliseconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }
}

/// Writes the wire format: RFC 3339 in UTC with milliseconds, `2026-01-31T23:59:59.999Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self
            .to_datetime()
            .to_rfc3339_opts(SecondsFormat::Millis, true);
        f.write_str(&text)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        Timestamp::from_datetime(moment)
    }
}

impl From<Timestamp> for DateTime<Utc> {
    fn from(moment: Timestamp) -> Self {
        moment.to_datetime()
    }
}

/// Writes the stored format: microseconds since 1970.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Timestamp::from_micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_with_milliseconds_and_stored_with_microseconds() {
        let moment = Timestamp::parse_rfc3339("2026-01-31T23:59:59.123456Z");
        let moment = moment.expect("a date-time");
        assert_eq!(moment.to_string(), "2026-01-31T23:59:59.123Z");
        assert_eq!(moment.as_micros() % 1_000_000, 123_456);
        assert_eq!(Timestamp::from(DateTime::from(moment)), moment);
        let stored = serde_json::to_string(&moment).expect("a number");
        assert_eq!(stored, moment.as_micros().to_string());
        assert_eq!(
            serde_json::from_str::<Timestamp>(&stored).ok(),
            Some(moment)
        );
    }

    #[test]
    fn offsets_are_turned_into_utc() {
        let moment = Timestamp::parse_rfc3339("2026-03-01T01:30:00+02:00");
        let shown = moment.map(|moment| moment.to_string());
        assert_eq!(shown, Ok("2026-02-28T23:30:00.000Z".to_owned()));
        for text in ["", "never", "2026-03-01", "2026-13-01T00:00:00Z"] {
            assert_eq!(Timestamp::parse_rfc3339(text), Err(InvalidTimestamp));
        }
    }

    #[test]
    fn the_range_ends_where_four_digits_end() {
        let last = Timestamp::from_micros(i64::MAX);
        assert_eq!(last.to_string(), "9999-12-31T23:59:59.999Z");
        let first = Timestamp::from_micros(i64::MIN);
        assert_eq!(first.to_string(), "0000-01-01T00:00:00.000Z");
        assert_eq!(last.plus_seconds(1), None);
        assert_eq!(first.plus_seconds(-1), None);
        assert_eq!(Timestamp::EPOCH.plus_seconds(i64::MAX), None);
    }

    #[test]
    fn seconds_are_added_and_counted() {
        let later = Timestamp::EPOCH.plus_seconds(900).expect("in range");
        assert_eq!(later.to_string(), "1970-01-01T00:15:00.000Z");
        assert_eq!(later.seconds_since(Timestamp::EPOCH), 900);
        assert_eq!(Timestamp::EPOCH.seconds_since(later), -900);
        assert_eq!(Timestamp::from_micros(-1).unix_seconds(), -1);
        assert_eq!(Timestamp::from_micros(-1).unix_milliseconds(), -1);
    }
}
