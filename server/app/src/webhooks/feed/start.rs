//! The place at which a stream begins.

use multirail_kernel::ids::EventId;
use multirail_kernel::timestamp::Timestamp;

use super::OVERLAP_SECONDS;

/// Seconds after which a place is too old. A reader who was away for longer loads everything again.
const LOOK_BACK_SECONDS: i64 = 900;

/// The beginning of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With the events from this id on.
    Latest(EventId),
    /// Likewise, without the last one that was told. It has to be among them.
    After { last: EventId, from: EventId },
    /// With the message that events are left out.
    Reset,
}

/// Decides where a stream begins whose reader has seen the event `last`.
pub(super) fn start(last: Option<&EventId>, wall: Timestamp) -> Start {
    let before = |moment: Timestamp| EventId::first_at(moment.later(-OVERLAP_SECONDS));
    let Some(last) = last else {
        return Start::Latest(before(wall));
    };
    match last.made_at() {
        Some(made_at) if wall.seconds_since(made_at) <= LOOK_BACK_SECONDS => Start::After {
            from: before(made_at),
            last: last.clone(),
        },
        Some(_) | None => Start::Reset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_begins_after_a_known_place_that_is_not_too_old() {
        let at = |seconds: i64| Timestamp::EPOCH.later(10_000 + seconds);
        let first = |seconds| EventId::first_at(at(seconds));
        let begins = |last: Option<&EventId>, seconds| start(last, at(seconds));
        assert_eq!(begins(None, 0), Start::Latest(first(-10)));
        let last = first(0);
        for seconds in [0, 900] {
            let after = Start::After {
                last: last.clone(),
                from: first(-10),
            };
            assert_eq!(begins(Some(&last), seconds), after);
        }
        assert_eq!(begins(Some(&last), 901), Start::Reset);
        let odd = EventId::parse("7").expect("an id");
        assert_eq!(begins(Some(&odd), 0), Start::Reset);
    }
}
