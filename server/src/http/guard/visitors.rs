//! Who is at the other end of the connections that the guard passes on.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The visits that are going on, by the port that dropshot sees them come from. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Visitors(Arc<Mutex<HashMap<u16, Arc<Visit>>>>);

/// One connection.
#[derive(Debug)]
pub struct Visit {
    client: SocketAddr,
    started: Instant,
    /// Milliseconds from the start to the last byte.
    moved_after: AtomicU64,
    requests: AtomicU64,
    in_flight: AtomicUsize,
}

/// An entry, gone when this is dropped.
pub(super) struct Entry {
    visitors: Visitors,
    port: u16,
    pub visit: Arc<Visit>,
}

/// A request of a visit, over when this is dropped.
#[derive(Debug)]
pub struct Asking(Arc<Visit>);

impl Visitors {
    /// The visit behind a connection that dropshot sees; none for one that didn't come through the guard.
    pub fn find(&self, seen: SocketAddr) -> Option<Arc<Visit>> {
        if !seen.ip().is_loopback() {
            return None;
        }
        self.entries(|entries| entries.get(&seen.port()).cloned())
    }

    pub(super) fn enter(&self, port: u16, client: SocketAddr) -> Entry {
        let visit = Arc::new(Visit {
            client,
            started: Instant::now(),
            moved_after: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            in_flight: AtomicUsize::new(0),
        });
        self.entries(|entries| entries.insert(port, Arc::clone(&visit)));
        Entry {
            visitors: self.clone(),
            port,
            visit,
        }
    }

    fn entries<T>(&self, act: impl FnOnce(&mut HashMap<u16, Arc<Visit>>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.visitors.entries(|entries| {
            // The port may be another visit's by now.
            if entries
                .get(&self.port)
                .is_some_and(|visit| Arc::ptr_eq(visit, &self.visit))
            {
                entries.remove(&self.port);
            }
        });
    }
}

impl Visit {
    /// The other end of the connection.
    pub fn client(&self) -> SocketAddr {
        self.client
    }

    /// The head of a request has been read.
    pub fn asks(self: &Arc<Self>) -> Asking {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        Asking(Arc::clone(self))
    }

    pub(super) fn moved(&self) {
        let after = self.started.elapsed().as_millis() as u64;
        self.moved_after.store(after, Ordering::Relaxed);
    }

    pub(super) fn moved_at(&self) -> Instant {
        self.started + Duration::from_millis(self.moved_after.load(Ordering::Relaxed))
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    pub(super) fn has_asked(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        // The answer is still to be written: that has its time too.
        self.0.moved();
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
