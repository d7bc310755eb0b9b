//! Times, wire to domain and back, and as bounds of a search.

use chrono::{DateTime, SecondsFormat, Utc};
use multirail_kernel::timestamp::Timestamp;

/// Formats a time for the wire.
pub fn moment(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

pub fn moment_answer(stored: &str) -> Option<DateTime<Utc>> {
    let moment = Timestamp::parse_rfc3339(stored).ok()?;
    Some(moment.to_datetime())
}

/// A millisecond in our own unit. Callers see times rounded down to milliseconds; ours are finer. So a bound covers its
/// whole millisecond.
const MILLISECOND: i64 = 1_000;

/// Returns the first time that is not shown as one before `given`.
pub fn shown_from(given: DateTime<Utc>) -> Timestamp {
    let micros = Timestamp::from_datetime(given).as_micros();
    let part = micros.rem_euclid(MILLISECOND);
    let is_whole = part == 0 && given.timestamp_subsec_nanos().is_multiple_of(1_000);
    Timestamp::from_micros(if is_whole {
        micros
    } else {
        micros - part + MILLISECOND
    })
}

/// Returns the last time that is not shown as one after `given`.
pub fn shown_until(given: DateTime<Utc>) -> Timestamp {
    let micros = Timestamp::from_datetime(given).as_micros();
    Timestamp::from_micros(micros - micros.rem_euclid(MILLISECOND) + MILLISECOND - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_go_by_what_is_shown() {
        let moment = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        let micros = |text: &str| Timestamp::from_datetime(moment(text)).as_micros();
        let shown = moment("2026-01-05T10:11:12.345Z");
        assert_eq!(
            shown_from(shown).as_micros(),
            micros("2026-01-05T10:11:12.345Z")
        );
        assert_eq!(
            shown_until(shown).as_micros(),
            micros("2026-01-05T10:11:12.345999Z")
        );
        let finer = moment("2026-01-05T10:11:12.345001Z");
        assert_eq!(
            shown_from(finer).as_micros(),
            micros("2026-01-05T10:11:12.346Z")
        );
        assert_eq!(
            shown_until(finer).as_micros(),
            micros("2026-01-05T10:11:12.345999Z")
        );
    }
}
