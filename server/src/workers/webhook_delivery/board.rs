//! Which endpoint may be worked on next, and with how much at once. Decides only; nothing here waits, sends or looks at
//! a clock.
//!
//! Every endpoint has a lane of its own. It is narrow at first, wide once something was taken in good time, and narrow
//! again when a try lasts too long, be it still on its way, or when several fail in a row. What there is in all is
//! handed out so that something is left for whoever does well:
//!
//! - all narrow lanes together get at most half of it, and nothing of its last eighth;
//! - the last quarter goes to lanes that have little on their way: those that fall silent together can't have filled it;
//! - one merchant's lanes get at most half, his narrow ones an eighth.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use multirail_domain::ids::MerchantId;
use tokio::time::Instant;

use crate::ports::events::Endpoint;

/// A try that lasts longer is held against its endpoint, whatever comes of it.
const GOOD_TIME: Duration = Duration::from_secs(3);
/// So many failures in a row narrow a lane. A single one is no reason to doubt an endpoint.
const FAILURES: u32 = 3;
/// Wide lanes that are remembered while nothing is to be done for them.
const REMEMBERED: usize = 4096;

/// The lanes of all endpoints that something is known of.
pub(super) struct Board {
    bounds: Bounds,
    lanes: HashMap<Endpoint, Lane>,
    merchants: HashMap<MerchantId, Merchant>,
    /// Merchants that have lanes waiting, and room of their own, by what these lanes would be given.
    turns: [VecDeque<MerchantId>; 3],
    /// Whose turn it is among the three.
    turn: usize,
    tickets: u64,
    load: Load,
}

/// What may be on its way at once.
struct Bounds {
    overall: usize,
    /// To a wide lane, and to a narrow one.
    each: usize,
    narrow: usize,
    all_narrow: usize,
    /// Above so many in all, narrow lanes get nothing; wide ones no more than narrow ones.
    stops_narrow: usize,
    stops_more: usize,
    merchant: usize,
    merchant_narrow: usize,
}

/// What a lane would be given: the kinds take turns, so that none keeps another waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Narrow,
    /// The first slots of a wide lane.
    First,
    /// What a wide lane has beyond them.
    More,
}

const SHARES: [Share; 3] = [Share::Narrow, Share::First, Share::More];

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Load {
    /// Slots in use, also those that a claim under way may not fill.
    taken: usize,
    /// By narrow lanes, each counted with no more than it may have: what one has from wider days is not held against
    /// the others.
    by_narrow: usize,
}

#[derive(Default)]
struct Lane {
    taken: usize,
    /// When the tries on their way began.
    tries: Vec<Instant>,
    is_claiming: bool,
    /// Something may be due.
    is_waiting: bool,
    is_wide: bool,
    failures: u32,
    /// Its entry among the waiting ones of its merchant; all others are outgrown.
    place: Option<(Share, u64)>,
}

#[derive(Default)]
struct Merchant {
    load: Load,
    waiting: [VecDeque<(Endpoint, u64)>; 3],
    has_turn: [bool; 3],
}

impl Bounds {
    fn new(overall: usize, each: usize) -> Self {
        let narrow = each.div_ceil(4);
        Bounds {
            overall,
            each,
            narrow,
            all_narrow: (overall / 2).max(1),
            stops_narrow: (overall - overall / 8).max(1),
            stops_more: (overall - overall / 4).max(1),
            merchant: (overall / 2).max(each),
            merchant_narrow: (overall / 8).max(narrow),
        }
    }

    /// What is left for lanes of this share.
    fn free(&self, share: Share, load: Load) -> usize {
        match share {
            Share::Narrow => {
                let of_narrow = self.all_narrow.saturating_sub(load.by_narrow);
                of_narrow.min(self.stops_narrow.saturating_sub(load.taken))
            }
            Share::First => self.overall.saturating_sub(load.taken),
            Share::More => self.stops_more.saturating_sub(load.taken),
        }
    }

    fn free_of_merchant(&self, share: Share, load: Load) -> usize {
        let free = self.merchant.saturating_sub(load.taken);
        match share {
            Share::Narrow => free.min(self.merchant_narrow.saturating_sub(load.by_narrow)),
            Share::First | Share::More => free,
        }
    }

    fn free_of_lane(&self, share: Share, lane: &Lane, load: Load) -> usize {
        let few = self.narrow.saturating_sub(lane.taken);
        let many = self.each.saturating_sub(lane.taken);
        match share {
            Share::Narrow => few,
            Share::First => few.max(many.min(self.free(Share::More, load))),
            Share::More => many,
        }
    }
}

impl Lane {
    fn load(&self, bounds: &Bounds) -> Load {
        Load {
            taken: self.taken,
            by_narrow: if self.is_wide {
                0
            } else {
                self.taken.min(bounds.narrow)
            },
        }
    }

    /// What it would be given, if it could be given anything.
    fn share(&self, bounds: &Bounds) -> Option<Share> {
        if !self.is_waiting || self.is_claiming {
            None
        } else if self.taken < bounds.narrow {
            Some(if self.is_wide {
                Share::First
            } else {
                Share::Narrow
            })
        } else {
            (self.is_wide && self.taken < bounds.each).then_some(Share::More)
        }
    }

    fn is_late(&self, now: Instant) -> bool {
        self.tries.iter().any(|began| is_late(*began, now))
    }
}

fn is_late(began: Instant, now: Instant) -> bool {
    now.duration_since(began) > GOOD_TIME
}

impl Load {
    fn replace(&mut self, before: Load, after: Load) {
        self.taken = (self.taken + after.taken).saturating_sub(before.taken);
        self.by_narrow = (self.by_narrow + after.by_narrow).saturating_sub(before.by_narrow);
    }
}

impl Board {
    /// At most `overall` deliveries at once, `each` to one endpoint.
    pub(super) fn new(overall: usize, each: usize) -> Self {
        Board {
            bounds: Bounds::new(overall, each),
            lanes: HashMap::new(),
            merchants: HashMap::new(),
            turns: Default::default(),
            turn: 0,
            tickets: 0,
            load: Load::default(),
        }
    }

    /// Something may be due for this endpoint.
    pub(super) fn hint(&mut self, endpoint: &Endpoint) {
        let lane = self.lanes.entry(endpoint.clone()).or_default();
        lane.is_waiting = true;
        self.settle(endpoint);
    }

    /// The next endpoint to claim deliveries of, and how many; the slots are taken with it.
    pub(super) fn next(&mut self) -> Option<(Endpoint, usize)> {
        for _ in SHARES {
            let share = SHARES[self.turn];
            self.turn = (self.turn + 1) % SHARES.len();
            if let Some(found) = self.next_of(share) {
                return Some(found);
            }
        }
        None
    }

    fn next_of(&mut self, share: Share) -> Option<(Endpoint, usize)> {
        let free = self.bounds.free(share, self.load);
        if free == 0 {
            return None;
        }
        loop {
            let merchant_id = self.turns[share as usize].pop_front()?;
            let Some(merchant) = self.merchants.get_mut(&merchant_id) else {
                continue;
            };
            merchant.has_turn[share as usize] = false;
            let free = free.min(self.bounds.free_of_merchant(share, merchant.load));
            let waiting = &mut merchant.waiting[share as usize];
            let lanes = &self.lanes;
            let is_current = |(endpoint, ticket): &(Endpoint, u64)| {
                let lane = lanes.get(endpoint);
                lane.is_some_and(|lane| lane.place == Some((share, *ticket)))
            };
            while waiting.front().is_some_and(|entry| !is_current(entry)) {
                waiting.pop_front();
            }
            let found = if free == 0 { None } else { waiting.pop_front() };
            let Some((endpoint, _)) = found else {
                self.forget_if_idle(&merchant_id);
                continue;
            };
            let lane = &self.lanes[&endpoint];
            let slots = self.bounds.free_of_lane(share, lane, self.load).min(free);
            self.change(&endpoint, |lane| {
                lane.is_waiting = false;
                lane.is_claiming = true;
                lane.taken += slots;
            });
            return Some((endpoint, slots));
        }
    }

    /// A claim of `asked` found `found` deliveries, which are on their way from now on.
    pub(super) fn claimed(
        &mut self,
        endpoint: &Endpoint,
        asked: usize,
        found: usize,
        now: Instant,
    ) {
        self.change(endpoint, |lane| {
            lane.taken = lane.taken.saturating_sub(asked.saturating_sub(found));
            lane.tries.extend(std::iter::repeat_n(now, found));
            lane.is_claiming = false;
            lane.is_waiting |= found == asked;
        });
    }

    /// One of them, which began at `began`, has ended. `taken_in` says whether the endpoint took it, if that is known.
    pub(super) fn ended(
        &mut self,
        endpoint: &Endpoint,
        began: Instant,
        taken_in: Option<bool>,
        now: Instant,
    ) {
        self.change(endpoint, |lane| {
            lane.taken = lane.taken.saturating_sub(1);
            if let Some(at) = lane.tries.iter().position(|one| *one == began) {
                lane.tries.swap_remove(at);
            }
            // Another event of the same object may have waited for this one.
            lane.is_waiting = true;
            let Some(taken_in) = taken_in else {
                return;
            };
            lane.failures = if taken_in {
                0
            } else {
                lane.failures.saturating_add(1)
            };
            if is_late(began, now) || lane.failures >= FAILURES {
                lane.is_wide = false;
            } else if taken_in && !lane.is_late(now) {
                lane.is_wide = true;
            }
        });
    }

    /// Narrows the lanes whose tries last too long. To be asked now and then.
    pub(super) fn notice(&mut self, now: Instant) {
        let late = self.lanes.iter();
        let late = late.filter(|(_, lane)| lane.is_wide && lane.is_late(now));
        let late: Vec<Endpoint> = late.map(|(endpoint, _)| endpoint.clone()).collect();
        for endpoint in &late {
            self.change(endpoint, |lane| lane.is_wide = false);
        }
    }

    /// Changes a lane, and whatever depends on it.
    fn change(&mut self, endpoint: &Endpoint, change: impl FnOnce(&mut Lane)) {
        let Some(lane) = self.lanes.get_mut(endpoint) else {
            return;
        };
        let before = lane.load(&self.bounds);
        change(lane);
        let after = lane.load(&self.bounds);
        self.load.replace(before, after);
        let merchant = self.merchants.entry(endpoint.merchant_id.clone());
        merchant.or_default().load.replace(before, after);
        self.settle(endpoint);
    }

    /// Gives a lane the place that it has become due for, its merchant his turns, and forgets what is idle.
    fn settle(&mut self, endpoint: &Endpoint) {
        let merchant_id = &endpoint.merchant_id;
        let Some(lane) = self.lanes.get_mut(endpoint) else {
            return;
        };
        let merchant = self.merchants.entry(merchant_id.clone()).or_default();
        let share = lane.share(&self.bounds);
        if lane.place.map(|(share, _)| share) != share {
            self.tickets += 1;
            lane.place = share.map(|share| (share, self.tickets));
            if let Some(share) = share {
                merchant.waiting[share as usize].push_back((endpoint.clone(), self.tickets));
            }
        }
        for share in SHARES {
            let index = share as usize;
            let can = !merchant.waiting[index].is_empty()
                && self.bounds.free_of_merchant(share, merchant.load) > 0;
            if can && !merchant.has_turn[index] {
                merchant.has_turn[index] = true;
                self.turns[index].push_back(merchant_id.clone());
            }
        }
        // A narrow lane is as a new one would be; of wide ones some are worth remembering.
        let is_idle = lane.taken == 0 && !lane.is_claiming && !lane.is_waiting;
        let is_new = !lane.is_wide;
        if is_idle && (is_new || self.lanes.len() > REMEMBERED) {
            self.lanes.remove(endpoint);
        }
        self.forget_if_idle(merchant_id);
    }

    fn forget_if_idle(&mut self, merchant_id: &MerchantId) {
        let is_idle = self.merchants.get(merchant_id).is_some_and(|merchant| {
            merchant.load == Load::default()
                && merchant.has_turn == [false; 3]
                && merchant.waiting.iter().all(VecDeque::is_empty)
        });
        if is_idle {
            self.merchants.remove(merchant_id);
        }
    }
}

#[cfg(test)]
mod tests;
