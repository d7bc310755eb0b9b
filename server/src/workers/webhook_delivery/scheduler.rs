//! Decides for which endpoint deliveries are claimed next, and how many. Nothing here waits, sends or reads a clock.
//!
//! Every endpoint has a limit on its deliveries under way. The limit is reduced (a quarter) at first, and full once the
//! endpoint has accepted a delivery in good time. It is reduced again when an attempt is slow, also while it is under way,
//! or when several fail in a row. The slots of all deliveries are divided so that slow and dead endpoints leave some to the
//! healthy ones:
//!
//! - all endpoints with a reduced limit together get at most half of the slots, and none of the last eighth;
//! - the last quarter goes to endpoints that have few deliveries under way: endpoints that fall silent together can't have
//!   filled it;
//! - one merchant's endpoints get at most half, those of them with a reduced limit an eighth.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use multirail_app::accounts::ports::profiles::Endpoint;
use multirail_kernel::ids::MerchantId;
use tokio::time::Instant;

/// The duration above which an attempt counts as slow. A slow attempt reduces its endpoint's limit, even if it succeeds.
const SLOW_AFTER: Duration = Duration::from_secs(3);
/// So many failures in a row reduce the limit of an endpoint. A single one is no reason to doubt it.
const FAILURES_THAT_REDUCE: u32 = 3;
/// Endpoints with a full limit that are remembered while nothing is due for them.
const REMEMBERED: usize = 4096;

/// The state of all endpoints, and the queues of those that may have due deliveries.
pub(super) struct Scheduler {
    limits: Limits,
    endpoints: HashMap<Endpoint, EndpointState>,
    merchants: HashMap<MerchantId, MerchantState>,
    /// The merchants that have waiting endpoints and free slots, in a queue for each class of slots.
    ready: [VecDeque<MerchantId>; 3],
    /// The class that is served next.
    next_class: usize,
    /// The last number that was given to a place in a queue.
    tickets: u64,
    load: Load,
}

/// The numbers of deliveries that may be under way at once.
struct Limits {
    overall: usize,
    /// The full limit of one endpoint, and the reduced one.
    each: usize,
    reduced: usize,
    /// The limit of all endpoints with a reduced limit together.
    all_reduced: usize,
    /// Above this total, endpoints with a reduced limit get nothing, and those with a full one no more than the reduced.
    stops_reduced: usize,
    stops_further: usize,
    merchant: usize,
    merchant_reduced: usize,
}

/// The slots that an endpoint would be given. The classes are served in turn, so that none keeps another waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotClass {
    /// Slots of an endpoint with a reduced limit.
    Reduced,
    /// The first slots of an endpoint with a full limit: as many as the reduced one has.
    First,
    /// The slots that a full limit has beyond them.
    Further,
}

const CLASSES: [SlotClass; 3] = [SlotClass::Reduced, SlotClass::First, SlotClass::Further];

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Load {
    /// Slots in use, including those that a claim under way may not fill.
    in_use: usize,
    /// Slots of endpoints with a reduced limit, each counted up to that limit. An endpoint may have more under way from the
    /// time of its full limit; these don't count against the others.
    reduced: usize,
}

#[derive(Default)]
struct EndpointState {
    /// Slots in use, including those that a claim under way may not fill.
    in_use: usize,
    /// When the attempts under way began.
    attempts: Vec<Instant>,
    is_claiming: bool,
    /// Whether deliveries may be due.
    is_due: bool,
    has_full_limit: bool,
    failures: u32,
    /// The endpoint's entry in the queues of its merchant. Every other entry there is outdated.
    ticket: Option<(SlotClass, u64)>,
}

#[derive(Default)]
struct MerchantState {
    load: Load,
    /// The endpoints that wait for slots, by class, each with its ticket.
    waiting: [VecDeque<(Endpoint, u64)>; 3],
    /// Whether the merchant stands in the queue of the class.
    is_ready: [bool; 3],
}

impl Limits {
    fn new(overall: usize, each: usize) -> Self {
        let reduced = each.div_ceil(4);
        Limits {
            overall,
            each,
            reduced,
            all_reduced: (overall / 2).max(1),
            stops_reduced: (overall - overall / 8).max(1),
            stops_further: (overall - overall / 4).max(1),
            merchant: (overall / 2).max(each),
            merchant_reduced: (overall / 8).max(reduced),
        }
    }

    /// Returns the free slots of this class.
    fn free(&self, class: SlotClass, load: Load) -> usize {
        match class {
            SlotClass::Reduced => {
                let of_reduced = self.all_reduced.saturating_sub(load.reduced);
                of_reduced.min(self.stops_reduced.saturating_sub(load.in_use))
            }
            SlotClass::First => self.overall.saturating_sub(load.in_use),
            SlotClass::Further => self.stops_further.saturating_sub(load.in_use),
        }
    }

    fn free_of_merchant(&self, class: SlotClass, load: Load) -> usize {
        let free = self.merchant.saturating_sub(load.in_use);
        match class {
            SlotClass::Reduced => free.min(self.merchant_reduced.saturating_sub(load.reduced)),
            SlotClass::First | SlotClass::Further => free,
        }
    }

    fn free_of_endpoint(&self, class: SlotClass, state: &EndpointState, load: Load) -> usize {
        let few = self.reduced.saturating_sub(state.in_use);
        let many = self.each.saturating_sub(state.in_use);
        match class {
            SlotClass::Reduced => few,
            SlotClass::First => few.max(many.min(self.free(SlotClass::Further, load))),
            SlotClass::Further => many,
        }
    }
}

impl EndpointState {
    fn load(&self, limits: &Limits) -> Load {
        Load {
            in_use: self.in_use,
            reduced: if self.has_full_limit {
                0
            } else {
                self.in_use.min(limits.reduced)
            },
        }
    }

    /// Returns the class of slots that the endpoint waits for, if any.
    fn class(&self, limits: &Limits) -> Option<SlotClass> {
        if !self.is_due || self.is_claiming {
            None
        } else if self.in_use < limits.reduced {
            Some(if self.has_full_limit {
                SlotClass::First
            } else {
                SlotClass::Reduced
            })
        } else {
            (self.has_full_limit && self.in_use < limits.each).then_some(SlotClass::Further)
        }
    }

    fn is_slow(&self, now: Instant) -> bool {
        self.attempts.iter().any(|began| is_slow(*began, now))
    }
}

fn is_slow(began: Instant, now: Instant) -> bool {
    now.duration_since(began) > SLOW_AFTER
}

impl Load {
    fn replace(&mut self, before: Load, after: Load) {
        self.in_use = (self.in_use + after.in_use).saturating_sub(before.in_use);
        self.reduced = (self.reduced + after.reduced).saturating_sub(before.reduced);
    }
}

impl Scheduler {
    /// Allows `overall` deliveries at once, and `each` to one endpoint.
    pub(super) fn new(overall: usize, each: usize) -> Self {
        Scheduler {
            limits: Limits::new(overall, each),
            endpoints: HashMap::new(),
            merchants: HashMap::new(),
            ready: Default::default(),
            next_class: 0,
            tickets: 0,
            load: Load::default(),
        }
    }

    /// Records that deliveries may be due for this endpoint.
    pub(super) fn mark_due(&mut self, endpoint: &Endpoint) {
        let state = self.endpoints.entry(endpoint.clone()).or_default();
        state.is_due = true;
        self.requeue(endpoint);
    }

    /// Returns the next endpoint to claim deliveries of, and how many. The slots are in use from now on.
    pub(super) fn next_claim(&mut self) -> Option<(Endpoint, usize)> {
        for _ in CLASSES {
            let class = CLASSES[self.next_class];
            self.next_class = (self.next_class + 1) % CLASSES.len();
            if let Some(found) = self.next_in_class(class) {
                return Some(found);
            }
        }
        None
    }

    fn next_in_class(&mut self, class: SlotClass) -> Option<(Endpoint, usize)> {
        let free = self.limits.free(class, self.load);
        if free == 0 {
            return None;
        }
        loop {
            let merchant_id = self.ready[class as usize].pop_front()?;
            let Some(merchant) = self.merchants.get_mut(&merchant_id) else {
                continue;
            };
            merchant.is_ready[class as usize] = false;
            let free = free.min(self.limits.free_of_merchant(class, merchant.load));
            let waiting = &mut merchant.waiting[class as usize];
            let endpoints = &self.endpoints;
            let is_current = |(endpoint, ticket): &(Endpoint, u64)| {
                let state = endpoints.get(endpoint);
                state.is_some_and(|state| state.ticket == Some((class, *ticket)))
            };
            while waiting.front().is_some_and(|entry| !is_current(entry)) {
                waiting.pop_front();
            }
            let found = if free == 0 { None } else { waiting.pop_front() };
            let Some((endpoint, _)) = found else {
                self.drop_if_idle(&merchant_id);
                continue;
            };
            let state = &self.endpoints[&endpoint];
            let slots = self
                .limits
                .free_of_endpoint(class, state, self.load)
                .min(free);
            self.update(&endpoint, |state| {
                state.is_due = false;
                state.is_claiming = true;
                state.in_use += slots;
            });
            return Some((endpoint, slots));
        }
    }

    /// Records that a claim of `asked` found `found` deliveries, which are under way from now on.
    pub(super) fn claimed(
        &mut self,
        endpoint: &Endpoint,
        asked: usize,
        found: usize,
        now: Instant,
    ) {
        self.update(endpoint, |state| {
            state.in_use = state.in_use.saturating_sub(asked.saturating_sub(found));
            state.attempts.extend(std::iter::repeat_n(now, found));
            state.is_claiming = false;
            state.is_due |= found == asked;
        });
    }

    /// Records that an attempt that began at `began` has ended. `accepted` says whether the endpoint accepted it, if that
    /// is known.
    pub(super) fn attempt_ended(
        &mut self,
        endpoint: &Endpoint,
        began: Instant,
        accepted: Option<bool>,
        now: Instant,
    ) {
        self.update(endpoint, |state| {
            state.in_use = state.in_use.saturating_sub(1);
            if let Some(at) = state.attempts.iter().position(|one| *one == began) {
                state.attempts.swap_remove(at);
            }
            // Another event of the same object may have waited for this one.
            state.is_due = true;
            let Some(accepted) = accepted else {
                return;
            };
            state.failures = if accepted {
                0
            } else {
                state.failures.saturating_add(1)
            };
            if is_slow(began, now) || state.failures >= FAILURES_THAT_REDUCE {
                state.has_full_limit = false;
            } else if accepted && !state.is_slow(now) {
                state.has_full_limit = true;
            }
        });
    }

    /// Reduces the limit of endpoints with a slow attempt under way. To be called now and then.
    pub(super) fn reduce_slow(&mut self, now: Instant) {
        let slow = self.endpoints.iter();
        let slow = slow.filter(|(_, state)| state.has_full_limit && state.is_slow(now));
        let slow: Vec<Endpoint> = slow.map(|(endpoint, _)| endpoint.clone()).collect();
        for endpoint in &slow {
            self.update(endpoint, |state| state.has_full_limit = false);
        }
    }

    /// Changes the state of an endpoint, and everything that depends on it.
    fn update(&mut self, endpoint: &Endpoint, change: impl FnOnce(&mut EndpointState)) {
        let Some(state) = self.endpoints.get_mut(endpoint) else {
            return;
        };
        let before = state.load(&self.limits);
        change(state);
        let after = state.load(&self.limits);
        self.load.replace(before, after);
        let merchant = self.merchants.entry(endpoint.merchant_id.clone());
        merchant.or_default().load.replace(before, after);
        self.requeue(endpoint);
    }

    /// Moves the endpoint and its merchant into the right queues, and drops idle endpoints.
    fn requeue(&mut self, endpoint: &Endpoint) {
        let merchant_id = &endpoint.merchant_id;
        let Some(state) = self.endpoints.get_mut(endpoint) else {
            return;
        };
        let merchant = self.merchants.entry(merchant_id.clone()).or_default();
        let class = state.class(&self.limits);
        if state.ticket.map(|(class, _)| class) != class {
            self.tickets += 1;
            state.ticket = class.map(|class| (class, self.tickets));
            if let Some(class) = class {
                merchant.waiting[class as usize].push_back((endpoint.clone(), self.tickets));
            }
        }
        for class in CLASSES {
            let index = class as usize;
            let can = !merchant.waiting[index].is_empty()
                && self.limits.free_of_merchant(class, merchant.load) > 0;
            if can && !merchant.is_ready[index] {
                merchant.is_ready[index] = true;
                self.ready[index].push_back(merchant_id.clone());
            }
        }
        // An idle endpoint with a reduced limit is like a new one; some with a full one are remembered.
        let is_idle = state.in_use == 0 && !state.is_claiming && !state.is_due;
        let is_new = !state.has_full_limit;
        if is_idle && (is_new || self.endpoints.len() > REMEMBERED) {
            self.endpoints.remove(endpoint);
        }
        self.drop_if_idle(merchant_id);
    }

    fn drop_if_idle(&mut self, merchant_id: &MerchantId) {
        let is_idle = self.merchants.get(merchant_id).is_some_and(|merchant| {
            merchant.load == Load::default()
                && merchant.is_ready == [false; 3]
                && merchant.waiting.iter().all(VecDeque::is_empty)
        });
        if is_idle {
            self.merchants.remove(merchant_id);
        }
    }
}

#[cfg(test)]
mod tests;
