//! Moments on the wire: `2026-01-05T10:11:12.345Z`, always with three decimals.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;

/// Writes a moment.
pub fn write<S: Serializer>(moment: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&moment.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// Writes a moment or `null`.
pub fn write_optional<S: Serializer>(
    moment: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => write(moment, serializer),
        None => serializer.serialize_none(),
    }
}
