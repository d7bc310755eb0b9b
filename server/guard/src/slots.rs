//! The slots for open connections, and the choice of the connection that loses its slot when there are too many.
//!
//! The guard doesn't refuse a new connection because others came first: another connection makes room. If the client
//! has used up its own slots, its slowest connection does. If all slots are taken, the slowest connection of the client
//! with the most slots does.
//!
//! The slowest connection is the one that has taken longest for its next step: to begin, to finish a request, to ask
//! again. A connection with a complete request under way never makes room.

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
    /// The name of the gauge of taken slots.
    open: &'static str,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) count: usize,
    /// The visits, by the [`network::client_network`] their address.
    pub(super) clients: HashMap<IpAddr, Vec<Arc<Visit>>>,
}

/// The slot of one visit. Dropping it frees the slot.
pub(super) struct Slot {
    slots: Slots,
    pub visit: Arc<Visit>,
}

/// The result for a new connection.
pub(super) enum Newcomer {
    /// A slot was free.
    Taken(Slot),
    /// Another connection was closed for it.
    TakenFor(Slot, Why),
    /// All other connections have requests under way.
    Refused(Why),
}

/// The bound that was reached.
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
        let client = network::client_network(address.ip());
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
        let client = network::client_network(visit.client().ip());
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

/// Returns the connection that has taken longest for its step, among those without a complete request under way.
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
