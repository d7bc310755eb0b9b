//! Which endpoint may be worked on next, and with how much at once. Decides only; nothing here waits or sends.
//!
//! Every endpoint has a lane of its own. One that failed last is narrowed to a little until something is taken again, and
//! all narrowed ones together get at most half of what there is: however many are dead or slow, the others go on.

use std::collections::{HashMap, VecDeque};

use crate::ports::events::Endpoint;

/// What an endpoint that failed last may have on its way.
const NARROW: usize = 2;

/// The lanes of all endpoints that something is known of.
pub(super) struct Board {
    overall: usize,
    each: usize,
    lanes: HashMap<Endpoint, Lane>,
    /// Endpoints that may have something due, in the order in which they get their turn.
    turns: VecDeque<Endpoint>,
    taken: usize,
    taken_by_narrow: usize,
}

#[derive(Default)]
struct Lane {
    /// Slots in use, also those that a claim under way may not fill.
    taken: usize,
    is_claiming: bool,
    is_waiting: bool,
    is_narrow: bool,
}

impl Board {
    /// At most `overall` deliveries at once, `each` to one endpoint.
    pub(super) fn new(overall: usize, each: usize) -> Self {
        Board {
            overall,
            each,
            lanes: HashMap::new(),
            turns: VecDeque::new(),
            taken: 0,
            taken_by_narrow: 0,
        }
    }

    /// Something may be due for this endpoint.
    pub(super) fn hint(&mut self, endpoint: Endpoint) {
        let lane = self.lanes.entry(endpoint.clone()).or_default();
        if !lane.is_waiting {
            lane.is_waiting = true;
            self.turns.push_back(endpoint);
        }
    }

    /// The next endpoint to claim deliveries of, and how many; the slots are taken with it.
    pub(super) fn next(&mut self) -> Option<(Endpoint, usize)> {
        for _ in 0..self.turns.len() {
            let endpoint = self.turns.pop_front()?;
            let room = self.room(&endpoint);
            if room == 0 {
                self.turns.push_back(endpoint);
                continue;
            }
            self.take(&endpoint, room);
            let lane = self.lanes.entry(endpoint.clone()).or_default();
            lane.is_waiting = false;
            lane.is_claiming = true;
            return Some((endpoint, room));
        }
        None
    }

    /// A claim of `asked` found `found` deliveries, which are on their way now.
    pub(super) fn claimed(&mut self, endpoint: &Endpoint, asked: usize, found: usize) {
        self.give_back(endpoint, asked.saturating_sub(found));
        if let Some(lane) = self.lanes.get_mut(endpoint) {
            lane.is_claiming = false;
        }
        if found > 0 && found == asked {
            self.hint(endpoint.clone());
        }
        self.forget_if_idle(endpoint);
    }

    /// One of them has ended. `taken_in` says whether the endpoint took it, if that is known.
    pub(super) fn ended(&mut self, endpoint: &Endpoint, taken_in: Option<bool>) {
        self.give_back(endpoint, 1);
        if let (Some(taken_in), Some(lane)) = (taken_in, self.lanes.get_mut(endpoint)) {
            let is_narrow = !taken_in;
            if lane.is_narrow != is_narrow {
                lane.is_narrow = is_narrow;
                let taken = lane.taken;
                if is_narrow {
                    self.taken_by_narrow += taken;
                } else {
                    self.taken_by_narrow = self.taken_by_narrow.saturating_sub(taken);
                }
            }
        }
        // Another event of the same object may have waited for this one.
        self.hint(endpoint.clone());
    }

    fn room(&self, endpoint: &Endpoint) -> usize {
        let free = self.overall.saturating_sub(self.taken);
        let Some(lane) = self.lanes.get(endpoint) else {
            return free.min(self.each);
        };
        if lane.is_claiming {
            return 0;
        }
        let (most, free) = if lane.is_narrow {
            let share = (self.overall / 2).max(1);
            let free = free.min(share.saturating_sub(self.taken_by_narrow));
            (NARROW.min(self.each), free)
        } else {
            (self.each, free)
        };
        most.saturating_sub(lane.taken).min(free)
    }

    fn take(&mut self, endpoint: &Endpoint, slots: usize) {
        let lane = self.lanes.entry(endpoint.clone()).or_default();
        lane.taken += slots;
        self.taken += slots;
        if lane.is_narrow {
            self.taken_by_narrow += slots;
        }
    }

    fn give_back(&mut self, endpoint: &Endpoint, slots: usize) {
        if let Some(lane) = self.lanes.get_mut(endpoint) {
            lane.taken = lane.taken.saturating_sub(slots);
            self.taken = self.taken.saturating_sub(slots);
            if lane.is_narrow {
                self.taken_by_narrow = self.taken_by_narrow.saturating_sub(slots);
            }
        }
    }

    /// A lane that is as a new one would be need not be remembered.
    fn forget_if_idle(&mut self, endpoint: &Endpoint) {
        let is_idle = self.lanes.get(endpoint).is_some_and(|lane| {
            lane.taken == 0 && !lane.is_claiming && !lane.is_waiting && !lane.is_narrow
        });
        if is_idle {
            self.lanes.remove(endpoint);
        }
    }
}

#[cfg(test)]
mod tests {
    use multirail_domain::ids::{MerchantId, ProfileId};

    use super::*;

    fn endpoint(name: &str) -> Endpoint {
        Endpoint {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            profile_id: ProfileId::parse(name).expect("an id"),
        }
    }

    fn next(board: &mut Board) -> Option<(String, usize)> {
        let (endpoint, slots) = board.next()?;
        Some((endpoint.profile_id.to_string(), slots))
    }

    fn turn(name: &str, slots: usize) -> Option<(String, usize)> {
        Some((name.to_owned(), slots))
    }

    #[test]
    fn each_endpoint_gets_its_share_in_turn() {
        let mut board = Board::new(10, 4);
        for name in ["b", "a", "b", "c"] {
            board.hint(endpoint(name));
        }
        assert_eq!(next(&mut board), turn("b", 4));
        assert_eq!(next(&mut board), turn("a", 4));
        assert_eq!(next(&mut board), turn("c", 2), "what is left overall");
        assert_eq!(next(&mut board), None);

        // b has more; a has nothing; c had less than it asked for.
        board.claimed(&endpoint("b"), 4, 4);
        board.claimed(&endpoint("a"), 4, 0);
        board.claimed(&endpoint("c"), 2, 1);
        assert_eq!(next(&mut board), None, "b has its share on its way");
        board.ended(&endpoint("b"), Some(true));
        assert_eq!(next(&mut board), turn("b", 1));
        board.claimed(&endpoint("b"), 1, 0);
        board.ended(&endpoint("c"), Some(true));
        assert_eq!(next(&mut board), turn("c", 4));
    }

    #[test]
    fn nobody_claims_twice_for_one_endpoint() {
        let mut board = Board::new(10, 4);
        board.hint(endpoint("a"));
        assert_eq!(next(&mut board), turn("a", 4));
        board.hint(endpoint("a"));
        assert_eq!(next(&mut board), None);
        board.claimed(&endpoint("a"), 4, 1);
        assert_eq!(next(&mut board), turn("a", 3), "it was hinted meanwhile");
    }

    #[test]
    fn whoever_fails_is_narrowed_until_something_is_taken() {
        let mut board = Board::new(100, 8);
        let shop = endpoint("a");
        board.hint(shop.clone());
        assert_eq!(next(&mut board), turn("a", 8));
        board.claimed(&shop, 8, 8);
        for _ in 0..6 {
            board.ended(&shop, Some(false));
            assert_eq!(next(&mut board), None, "two are enough for it");
        }
        board.ended(&shop, Some(false));
        assert_eq!(next(&mut board), turn("a", 1));
        board.claimed(&shop, 1, 1);
        board.ended(&shop, None);
        assert_eq!(next(&mut board), turn("a", 1), "nothing was learned");
        board.claimed(&shop, 1, 1);
        board.ended(&shop, Some(true));
        assert_eq!(next(&mut board), turn("a", 7));
    }

    #[test]
    fn the_dead_leave_half_to_the_living() {
        let mut board = Board::new(8, 2);
        let dead = ["a", "b", "c", "d"].map(endpoint);
        for one in &dead {
            board.hint(one.clone());
            assert_eq!(board.next(), Some((one.clone(), 2)));
        }
        for one in &dead {
            board.claimed(one, 2, 1);
            board.ended(one, Some(false));
        }
        assert_eq!(next(&mut board), turn("a", 2));
        assert_eq!(next(&mut board), turn("b", 2));
        assert_eq!(next(&mut board), None, "c and d wait for a or b");
        board.hint(endpoint("e"));
        assert_eq!(next(&mut board), turn("e", 2));
        board.claimed(&endpoint("a"), 2, 0);
        assert_eq!(next(&mut board), turn("c", 2));
    }

    #[test]
    fn nothing_is_kept_of_endpoints_that_are_done() {
        let mut board = Board::new(8, 4);
        let shop = endpoint("a");
        board.hint(shop.clone());
        assert_eq!(next(&mut board), turn("a", 4));
        board.claimed(&shop, 4, 1);
        board.ended(&shop, Some(true));
        assert_eq!(next(&mut board), turn("a", 4));
        board.claimed(&shop, 4, 0);
        assert!(board.lanes.is_empty() && board.turns.is_empty());
        assert_eq!((board.taken, board.taken_by_narrow), (0, 0));
    }
}
