//! The slots for open connections, and which connection loses its slot where there are too many.
//!
//! A newcomer isn't refused because others came first: another connection makes room. Where the newcomer's client has
//! all the slots that one client may have, its slowest connection makes room. Where all slots are taken, the slowest
//! connection of the client that has the most does. The slowest is the one that takes longest over its next step: to
//! begin, to finish a request, to ask again. A connection whose request has arrived as a whole and is being worked on
//! never makes room.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Duty;
use crate::network;
use crate::visit::Visit;

/// The slots of one guard. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    limit: usize,
    limit_per_client: usize,
    /// The name of the gauge of slots that are taken.
    open: &'static str,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) count: usize,
    /// By [`network::of`] their address.
    pub(super) clients: HashMap<IpAddr, Vec<Arc<Visit>>>,
}

/// The slot of one visit, free again when this is dropped.
pub(super) struct Slot {
    slots: Slots,
    pub visit: Arc<Visit>,
}

/// What became of a newcomer.
pub(super) enum Newcomer {
    /// A slot was free.
    Taken(Slot),
    /// Another connection was ended for it.
    TakenFor(Slot, Why),
    /// The requests of all others are being worked on.
    Refused(Why),
}

/// Which bound was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Total,
    Client,
}

impl Slots {
    pub(super) fn new(duty: &Duty) -> Self {
        Self {
            limit: duty.connections,
            limit_per_client: duty.connections_per_client,
            open: duty.metrics.open,
            taken: Arc::default(),
        }
    }

    pub(super) fn take(&self, address: SocketAddr) -> Newcomer {
        let client = network::of(address.ip());
        let visit = Visit::start(address);
        self.taken(|taken| {
            let own = taken.clients.get(&client).map_or(&[][..], Vec::as_slice);
            let (why, slowest) = if own.len() >= self.limit_per_client {
                (Some(Why::Client), slowest(own))
            } else if taken.count >= self.limit {
                (Some(Why::Total), taken.slowest_of_the_largest())
            } else {
                (None, None)
            };
            if let Some(slowest) = &slowest {
                slowest.send_away();
                taken.remove(slowest);
            }
            match (why, slowest) {
                (None, _) => Newcomer::Taken(self.slot(taken, client, visit)),
                (Some(why), Some(_)) => Newcomer::TakenFor(self.slot(taken, client, visit), why),
                (Some(why), None) => Newcomer::Refused(why),
            }
        })
    }

    fn slot(&self, taken: &mut Taken, client: IpAddr, visit: Arc<Visit>) -> Slot {
        taken.count += 1;
        let own = taken.clients.entry(client).or_default();
        own.push(Arc::clone(&visit));
        metrics::gauge!(self.open).increment(1.0);
        Slot {
            slots: self.clone(),
            visit,
        }
    }

    pub(super) fn taken<T>(&self, act: impl FnOnce(&mut Taken) -> T) -> T {
        act(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Taken {
    fn slowest_of_the_largest(&self) -> Option<Arc<Visit>> {
        let candidates = self
            .clients
            .values()
            .filter_map(|visits| Some((visits.len(), slowest(visits)?)));
        let largest = candidates.max_by(|(one, its), (other, others)| {
            let by_age = others.stepped_at().cmp(&its.stepped_at());
            one.cmp(other).then(by_age)
        });
        largest.map(|(_, visit)| visit)
    }

    fn remove(&mut self, visit: &Arc<Visit>) {
        let client = network::of(visit.client().ip());
        let Some(own) = self.clients.get_mut(&client) else {
            return;
        };
        if let Some(index) = own.iter().position(|one| Arc::ptr_eq(one, visit)) {
            own.swap_remove(index);
            self.count -= 1;
        }
        if own.is_empty() {
            self.clients.remove(&client);
        }
    }
}

/// The connection that has been longest over its step, of those whose request is not being worked on.
fn slowest(visits: &[Arc<Visit>]) -> Option<Arc<Visit>> {
    visits
        .iter()
        .filter(|visit| !visit.is_served())
        .min_by_key(|visit| visit.stepped_at())
        .cloned()
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.taken(|taken| taken.remove(&self.visit));
        metrics::gauge!(self.slots.open).decrement(1.0);
    }
}

#[cfg(test)]
mod tests;
