//! The id of a request, in the header `request-id`, in the log, and in stored changes.

use multirail_kernel::timestamp::Timestamp;
use uuid::{Builder, Uuid};

/// Returns a UUID of version 7.
///
/// dropshot gives each request a random UUID before our code runs, and puts it into `x-request-id` after our code has
/// run. The two last groups of both ids are the same, so either one leads to the lines of the log.
pub(crate) fn from_dropshots(dropshots: &str, wall: Timestamp) -> String {
    let Ok(random) = Uuid::try_parse(dropshots) else {
        return dropshots.to_owned();
    };
    let mut tail = [0; 10];
    tail.copy_from_slice(&random.as_bytes()[6..]);
    let milliseconds = wall.unix_milliseconds().max(0).unsigned_abs();
    Builder::from_unix_timestamp_millis(milliseconds, &tail)
        .into_uuid()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_comes_first_and_dropshots_own_id_is_recognizable() {
        let wall = Timestamp::from_micros(0x0198_7654_3210 * 1_000);
        assert_eq!(
            from_dropshots("5ad0b7f2-91c3-4e5f-8a6b-0c1d2e3f4a5b", wall),
            "01987654-3210-7e5f-8a6b-0c1d2e3f4a5b"
        );
        assert_eq!(from_dropshots("something else", wall), "something else");
    }
}
