//! The clients of the connections that the guard forwards.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::visit::Visit;

/// The open visits, by the port that dropshot sees. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Visitors(Arc<Mutex<HashMap<u16, Arc<Visit>>>>);

/// An entry, which is removed when this is dropped.
pub(super) struct Entry {
    visitors: Visitors,
    port: u16,
    visit: Arc<Visit>,
}

impl Visitors {
    /// Returns the visit of a connection that dropshot sees; `None` for one that didn't come through the guard.
    pub fn find(&self, seen: SocketAddr) -> Option<Arc<Visit>> {
        if !seen.ip().is_loopback() {
            return None;
        }
        self.entries(|entries| entries.get(&seen.port()).cloned())
    }

    pub(super) fn enter(&self, port: u16, visit: &Arc<Visit>) -> Entry {
        self.entries(|entries| entries.insert(port, Arc::clone(visit)));
        Entry {
            visitors: self.clone(),
            port,
            visit: Arc::clone(visit),
        }
    }

    fn entries<T>(&self, act: impl FnOnce(&mut HashMap<u16, Arc<Visit>>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.visitors.entries(|entries| {
            // The port may already belong to another visit.
            if entries
                .get(&self.port)
                .is_some_and(|visit| Arc::ptr_eq(visit, &self.visit))
            {
                entries.remove(&self.port);
            }
        });
    }
}
