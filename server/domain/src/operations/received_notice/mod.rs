//! The inbox of processors' notices: their status, and when each is tried again. Their content is read in
//! [`connector::notice`](multirail_sdk::connector::notice).

mod masked;
mod trust;

use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

pub use masked::masked;
pub use trust::{Sender, ToldOf};

use crate::operations::question::pause_after;

/// The seconds for which a notice that matches nothing is tried again: a day. It can arrive before the server commits the
/// operation that it is about.
const TRIED_FOR: i64 = 86_400;

words! {
    /// The status of a notice.
    pub enum NoticeStatus {
        /// The notice waits for the worker.
        Waiting = "waiting",
        /// The content was recorded, or was known already.
        Applied = "applied",
        /// The notice isn't about anything that this server requested.
        Ignored = "ignored",
        /// The notice contradicts the known state of its object, so nothing was changed.
        Contradicted = "contradicted",
        /// The object wasn't found for a day.
        Unmatched = "unmatched",
        /// The notice comes from the processor, but this version can't read it, or failed to process it for a day.
        Unreadable = "unreadable",
    }
}

/// The effect of one item of a notice. The largest effect, in this order, becomes the notice's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heard {
    Nothing,
    Applied,
    Contradicted,
    /// The content can't be read.
    Unreadable,
    /// The object wasn't found, or the sender isn't trusted with it.
    Unmatched,
}

impl NoticeStatus {
    /// Returns the status of a notice after it was processed.
    pub fn after_work(heard: Heard, is_tried_again: bool) -> Self {
        match (is_tried_again, heard) {
            (true, _) => NoticeStatus::Waiting,
            (false, Heard::Unmatched) => NoticeStatus::Unmatched,
            (false, Heard::Unreadable) => NoticeStatus::Unreadable,
            (false, Heard::Contradicted) => NoticeStatus::Contradicted,
            (false, Heard::Applied) => NoticeStatus::Applied,
            (false, Heard::Nothing) => NoticeStatus::Ignored,
        }
    }
}

/// Returns when a notice that matched nothing so far is tried again, if at all.
pub fn next_try(received_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let age = now.seconds_since(received_at).max(0);
    if age >= TRIED_FOR {
        return None;
    }
    now.plus_seconds(pause_after(age))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matches_nothing_is_tried_for_a_day() {
        let received = Timestamp::from_micros(1_767_225_600_000_000);
        let (mut now, mut pauses) = (received, Vec::new());
        while let Some(next) = next_try(received, now) {
            pauses.push(next.seconds_since(now));
            now = next;
        }
        assert_eq!(pauses[..5], [2, 5, 15, 60, 82]);
        assert!(now.seconds_since(received) >= TRIED_FOR);
        assert_eq!(pauses.len(), 15, "{pauses:?}");
    }

    #[test]
    fn what_is_tried_again_waits_and_what_is_not_has_its_word() {
        let after = |all: &[Heard], again| {
            let heard = all.iter().copied().max().unwrap_or(Heard::Nothing);
            NoticeStatus::after_work(heard, again).as_str()
        };
        assert_eq!(after(&[Heard::Applied, Heard::Unmatched], true), "waiting");
        assert_eq!(
            after(&[Heard::Applied, Heard::Unmatched], false),
            "unmatched"
        );
        assert_eq!(
            after(&[Heard::Contradicted, Heard::Applied], false),
            "contradicted"
        );
        assert_eq!(
            after(&[Heard::Unreadable, Heard::Applied], false),
            "unreadable"
        );
        assert_eq!(after(&[Heard::Applied, Heard::Nothing], false), "applied");
        assert_eq!(after(&[], false), "ignored");
    }
}
