//! The choice of the requests that are new.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use multirail_client::types::RequestLogEntry;

/// A request gets into the log after its answer, and so after quicker ones that arrived later. A request that takes
/// longer than this may be missed.
const SLOWEST: TimeDelta = TimeDelta::seconds(30);

/// The requests that were read.
#[derive(Default)]
pub(super) struct Seen {
    newest: Option<DateTime<Utc>>,
    /// The arrivals of the requests that another look may find again, by request id.
    arrivals: HashMap<String, DateTime<Utc>>,
}

impl Seen {
    /// Returns the time from which the next look has to read.
    pub(super) fn horizon(&self) -> Option<DateTime<Utc>> {
        self.newest.map(before_slowest)
    }

    /// Returns the requests that no earlier look found, oldest first. `found` has the newest first.
    pub(super) fn take_new(&mut self, mut found: Vec<RequestLogEntry>) -> Vec<RequestLogEntry> {
        let newest = found.iter().map(|entry| entry.requested_at).max();
        self.newest = self.newest.max(newest);
        found.retain(|entry| {
            let id = entry.request_id.clone();
            self.arrivals.insert(id, entry.requested_at).is_none()
        });
        found.reverse();
        if let Some(horizon) = self.horizon() {
            self.arrivals.retain(|_, arrival| *arrival >= horizon);
        }
        found
    }
}

/// The end of the first look. It has to find enough requests to print, and all that the second look may find again.
pub(super) struct Past {
    missing: usize,
    newest: Option<DateTime<Utc>>,
}

impl Past {
    pub(super) fn new(lines: usize) -> Self {
        Self {
            missing: lines,
            newest: None,
        }
    }

    /// Checks whether the first look reaches back to this request. It is asked about each one, newest first.
    pub(super) fn reaches(&mut self, entry: &RequestLogEntry) -> bool {
        let newest = *self.newest.get_or_insert(entry.requested_at);
        let is_wanted = self.missing > 0 || entry.requested_at >= before_slowest(newest);
        self.missing = self.missing.saturating_sub(1);
        is_wanted
    }
}

fn before_slowest(newest: DateTime<Utc>) -> DateTime<Utc> {
    newest.checked_sub_signed(SLOWEST).unwrap_or(newest)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::entry;
    use super::*;

    /// Returns a page of requests that arrived in these seconds, which are also their ids.
    fn page(seconds: &[i64]) -> Vec<RequestLogEntry> {
        let entries = seconds.iter().map(|second| {
            let mut entry = entry();
            entry.request_id = second.to_string();
            entry.requested_at = DateTime::UNIX_EPOCH + TimeDelta::seconds(*second);
            entry
        });
        entries.collect()
    }

    fn ids(entries: &[RequestLogEntry]) -> Vec<&str> {
        let ids = entries.iter().map(|entry| entry.request_id.as_str());
        ids.collect()
    }

    #[test]
    fn each_request_is_new_once_and_the_newest_comes_last() {
        let mut seen = Seen::default();
        assert_eq!(seen.horizon(), None);
        let first = seen.take_new(page(&[103, 101]));
        assert_eq!(ids(&first), ["101", "103"]);
        let horizon = DateTime::UNIX_EPOCH + TimeDelta::seconds(73);
        assert_eq!(seen.horizon(), Some(horizon));
        // The pages overlap, and 102 took longer than 103.
        let second = seen.take_new(page(&[104, 103, 102, 101]));
        assert_eq!(ids(&second), ["102", "104"]);
        assert_eq!(ids(&seen.take_new(page(&[104, 103, 102, 101]))), [""; 0]);
        assert_eq!(ids(&seen.take_new(Vec::new())), [""; 0]);
    }

    #[test]
    fn only_what_may_be_found_again_is_remembered() {
        let mut seen = Seen::default();
        seen.take_new(page(&[130, 100, 99]));
        let mut remembered: Vec<_> = seen.arrivals.keys().map(String::as_str).collect();
        remembered.sort_unstable();
        assert_eq!(remembered, ["100", "130"]);
        // An older look doesn't move the horizon back.
        let horizon = seen.horizon();
        seen.take_new(page(&[110]));
        assert_eq!(seen.horizon(), horizon);
    }

    #[test]
    fn the_first_look_has_enough_lines_and_the_whole_overlap() {
        let reached = |lines: usize| {
            let mut past = Past::new(lines);
            let entries = page(&[200, 180, 170, 169, 100, 50]);
            entries
                .iter()
                .take_while(|entry| past.reaches(entry))
                .count()
        };
        assert_eq!(reached(0), 3);
        assert_eq!(reached(2), 3);
        assert_eq!(reached(5), 5);
    }
}
