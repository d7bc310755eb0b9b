//! The latest events of one merchant account, of which each is new once.

use std::collections::BTreeSet;

use multirail_kernel::ids::EventId;
use multirail_kernel::timestamp::Timestamp;

use crate::webhooks::ports::events::StoredEvent;

/// The most events of one look. With more, the followers read everything again.
pub(super) const MOST: usize = 1_000;

/// Seconds for which an event may become visible after a later one: ids are made before the commit, at each server by its
/// own clock.
pub(super) const OVERLAP_SECONDS: i64 = 10;

/// The same after a look that found too much, so that the next one finds less.
const SHORT_OVERLAP_SECONDS: i64 = 1;

/// The events that are known, and the place from which the next look begins.
#[derive(Debug)]
pub(super) struct Window {
    from: EventId,
    known: BTreeSet<EventId>,
}

/// The result of a look.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum News {
    /// The events that weren't known, in the order of their ids.
    Events(Vec<StoredEvent>),
    /// There are too many events to tell each of them.
    TooMany,
}

impl Window {
    /// Begins with the events of the last seconds, of which none is known.
    pub(super) fn begin(wall: Timestamp) -> Self {
        Self {
            from: EventId::first_at(wall.later(-OVERLAP_SECONDS)),
            known: BTreeSet::new(),
        }
    }

    /// Returns the id from which the next look begins.
    pub(super) fn from(&self) -> &EventId {
        &self.from
    }

    /// Takes the events from [`Window::from`] on, of which a look reads one more than [`MOST`].
    pub(super) fn take(&mut self, found: Vec<StoredEvent>, wall: Timestamp) -> News {
        if found.len() > MOST {
            self.from = EventId::first_at(wall.later(-SHORT_OVERLAP_SECONDS));
            self.known.clear();
            return News::TooMany;
        }
        let mut news = found;
        news.retain(|event| self.known.insert(event.event_id.clone()));
        let next = EventId::first_at(wall.later(-OVERLAP_SECONDS));
        if next > self.from {
            self.known = self.known.split_off(&next);
            self.from = next;
        }
        News::Events(news)
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::random::SeededRandom;

    use super::*;
    use crate::webhooks::feed::tests::event;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH.later(1_000 + seconds)
    }

    fn told(news: News) -> Vec<String> {
        match news {
            News::Events(events) => events.into_iter().map(|event| event.object_id).collect(),
            News::TooMany => vec!["too many".to_owned()],
        }
    }

    #[test]
    fn an_event_that_becomes_visible_late_is_told_once() {
        let random = SeededRandom::new(1);
        let made = |seconds, name| event(at(seconds), &random, name);
        let (slow, fast) = (made(0, "slow"), made(1, "fast"));
        let mut window = Window::begin(at(0));
        assert_eq!(told(window.take(vec![fast.clone()], at(2))), ["fast"]);
        let both = vec![slow.clone(), fast.clone()];
        assert_eq!(told(window.take(both.clone(), at(3))), ["slow"]);
        assert_eq!(told(window.take(both, at(9))), Vec::<String>::new());
        // The window moves on, and forgets what lies before it.
        assert!(*window.from() < slow.event_id);
        assert_eq!(told(window.take(vec![], at(11))), Vec::<String>::new());
        assert!(*window.from() > slow.event_id && window.known.contains(&fast.event_id));
        window.take(vec![], at(12));
        assert!(window.known.is_empty());
        // A clock that was set back doesn't move it back.
        let from = window.from().clone();
        window.take(vec![], at(3));
        assert_eq!(*window.from(), from);
    }

    #[test]
    fn too_many_events_are_not_told_one_by_one() {
        let random = SeededRandom::new(1);
        let many = || (0..=MOST).map(|_| event(at(0), &random, "pay")).collect();
        let mut window = Window::begin(at(0));
        assert_eq!(window.take(many(), at(5)), News::TooMany);
        assert_eq!(*window.from(), EventId::first_at(at(4)));
        let next = event(at(5), &random, "next");
        assert_eq!(told(window.take(vec![next], at(6))), ["next"]);
    }
}
