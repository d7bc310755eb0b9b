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
    /// Who gets a turn next: endpoints that may have something due and have room of their own, so that nobody who has
    /// none is looked at again and again. An entry that its lane has outgrown is passed over.
    wide: VecDeque<Endpoint>,
    narrow: VecDeque<Endpoint>,
    /// Whose turn it is.
    is_turn_of_narrow: bool,
    taken: usize,
    taken_by_narrow: usize,
}

#[derive(Default)]
struct Lane {
    /// Slots in use, also those that a claim under way may not fill.
    taken: usize,
    is_claiming: bool,
    /// Something may be due.
    is_waiting: bool,
    is_queued: bool,
    is_narrow: bool,
}

impl Board {
    /// At most `overall` deliveries at once, `each` to one endpoint.
    pub(super) fn new(overall: usize, each: usize) -> Self {
        Board {
            overall,
            each,
            lanes: HashMap::new(),
            wide: VecDeque::new(),
            narrow: VecDeque::new(),
            is_turn_of_narrow: false,
            taken: 0,
            taken_by_narrow: 0,
        }
    }

    /// Something may be due for this endpoint.
    pub(super) fn hint(&mut self, endpoint: Endpoint) {
        self.lanes.entry(endpoint.clone()).or_default().is_waiting = true;
        self.queue(endpoint);
    }

    /// The next endpoint to claim deliveries of, and how many; the slots are taken with it.
    pub(super) fn next(&mut self) -> Option<(Endpoint, usize)> {
        // The two kinds alternate, so that neither keeps the other waiting.
        self.is_turn_of_narrow = !self.is_turn_of_narrow;
        let first = self.is_turn_of_narrow;
        self.next_of(first).or_else(|| self.next_of(!first))
    }

    fn next_of(&mut self, is_narrow: bool) -> Option<(Endpoint, usize)> {
        let mut free = self.overall.saturating_sub(self.taken);
        if is_narrow {
            let share = (self.overall / 2).max(1);
            free = free.min(share.saturating_sub(self.taken_by_narrow));
        }
        if free == 0 {
            return None;
        }
        loop {
            let queue = if is_narrow {
                &mut self.narrow
            } else {
                &mut self.wide
            };
            let endpoint = queue.pop_front()?;
            let most = self.most(is_narrow);
            let Some(lane) = self.lanes.get_mut(&endpoint) else {
                continue;
            };
            if !lane.is_waiting || lane.is_claiming || lane.is_narrow != is_narrow {
                continue;
            }
            lane.is_queued = false;
            let room = most.saturating_sub(lane.taken).min(free);
            if room > 0 {
                lane.is_waiting = false;
                lane.is_claiming = true;
                self.take(&endpoint, room);
                return Some((endpoint, room));
            }
        }
    }

    /// A claim of `asked` found `found` deliveries, which are on their way now.
    pub(super) fn claimed(&mut self, endpoint: &Endpoint, asked: usize, found: usize) {
        self.give_back(endpoint, asked.saturating_sub(found));
        if let Some(lane) = self.lanes.get_mut(endpoint) {
            lane.is_claiming = false;
            lane.is_waiting |= found == asked;
        }
        self.queue(endpoint.clone());
        self.forget_if_idle(endpoint);
    }

    /// One of them has ended. `taken_in` says whether the endpoint took it, if that is known.
    pub(super) fn ended(&mut self, endpoint: &Endpoint, taken_in: Option<bool>) {
        self.give_back(endpoint, 1);
        if let (Some(taken_in), Some(lane)) = (taken_in, self.lanes.get_mut(endpoint))
            && lane.is_narrow == taken_in
        {
            lane.is_narrow = !taken_in;
            lane.is_queued = false;
            let taken = lane.taken;
            self.taken_by_narrow = if taken_in {
                self.taken_by_narrow.saturating_sub(taken)
            } else {
                self.taken_by_narrow + taken
            };
        }
        // Another event of the same object may have waited for this one.
        self.hint(endpoint.clone());
    }

    /// Gives an endpoint that waits and has room its place.
    fn queue(&mut self, endpoint: Endpoint) {
        let (narrow, wide) = (self.most(true), self.most(false));
        let Some(lane) = self.lanes.get_mut(&endpoint) else {
            return;
        };
        let most = if lane.is_narrow { narrow } else { wide };
        if lane.is_waiting && !lane.is_queued && !lane.is_claiming && lane.taken < most {
            lane.is_queued = true;
            if lane.is_narrow {
                self.narrow.push_back(endpoint);
            } else {
                self.wide.push_back(endpoint);
            }
        }
    }

    /// What an endpoint may have on its way.
    fn most(&self, is_narrow: bool) -> usize {
        if is_narrow {
            NARROW.min(self.each)
        } else {
            self.each
        }
    }

    fn take(&mut self, endpoint: &Endpoint, slots: usize) {
        if let Some(lane) = self.lanes.get_mut(endpoint) {
            lane.taken += slots;
            self.taken += slots;
            if lane.is_narrow {
                self.taken_by_narrow += slots;
            }
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
    use multirail_domain::random::{Random, SeededRandom};

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

    /// Whatever happens in whatever order: the bounds hold, and everything is sent in the end.
    #[test]
    fn nobody_is_forgotten() {
        let random = SeededRandom::new(7);
        let draw = |below: usize| {
            let mut bytes = [0_u8; 8];
            random.fill(&mut bytes);
            (u64::from_le_bytes(bytes) % below as u64) as usize
        };
        let mut board = Board::new(12, 4);
        let shops: Vec<Endpoint> = (0..9).map(|n| endpoint(&format!("pro_{n}"))).collect();
        let mut queued = [0_usize; 9];
        let mut claims: Vec<(usize, usize)> = Vec::new();
        let mut running: Vec<usize> = Vec::new();
        for round in 0..200_000 {
            // Nothing new towards the end, until all is done.
            let is_over = queued.iter().sum::<usize>() + claims.len() + running.len() == 0;
            if round > 10_000 && is_over {
                break;
            }
            match draw(3) {
                0 if round < 10_000 => {
                    let shop = draw(shops.len());
                    queued[shop] += 1 + draw(3);
                    board.hint(shops[shop].clone());
                }
                1 if !claims.is_empty() => {
                    let (shop, asked) = claims.swap_remove(draw(claims.len()));
                    let found = asked.min(queued[shop]);
                    queued[shop] -= found;
                    running.extend(std::iter::repeat_n(shop, found));
                    board.claimed(&shops[shop], asked, found);
                }
                2 if !running.is_empty() => {
                    let shop = running.swap_remove(draw(running.len()));
                    // Three of them are dead more often than not.
                    board.ended(&shops[shop], Some(shop > 2 || draw(8) == 0));
                }
                _ => {}
            }
            while let Some((shop, asked)) = board.next() {
                let shop = shops.iter().position(|one| *one == shop).expect("known");
                assert!(claims.iter().all(|(other, _)| *other != shop), "one claim");
                claims.push((shop, asked));
            }
            assert!(running.len() <= 12 && board.taken <= 12);
            for shop in 0..shops.len() {
                assert!(running.iter().filter(|one| **one == shop).count() <= 4);
            }
        }
        assert_eq!(queued, [0; 9]);
        assert_eq!((board.taken, board.taken_by_narrow), (0, 0));
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
        assert!(board.lanes.is_empty() && board.wide.is_empty());
        assert_eq!((board.taken, board.taken_by_narrow), (0, 0));
    }
}
