//! One connection, and the progress of its client's requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// An accepted connection.
#[derive(Debug)]
pub struct Visit {
    client: SocketAddr,
    started: Instant,
    /// Milliseconds from the start to the last byte.
    moved_after: AtomicU64,
    /// Milliseconds from the start to the last step: the head of a request, its complete arrival, its answer. Single
    /// bytes are no steps, so slow senders gain nothing.
    stepped_after: AtomicU64,
    requests: AtomicU64,
    in_flight: AtomicUsize,
    /// The number of requests that have arrived completely.
    arrived: AtomicUsize,
    sent_away: Notify,
}

/// A request of a visit, which ends when this is dropped.
#[derive(Debug)]
pub struct Asking {
    visit: Arc<Visit>,
    has_arrived: AtomicBool,
}

impl Visit {
    pub(super) fn start(client: SocketAddr) -> Arc<Self> {
        Arc::new(Self {
            client,
            started: Instant::now(),
            moved_after: AtomicU64::new(0),
            stepped_after: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            in_flight: AtomicUsize::new(0),
            arrived: AtomicUsize::new(0),
            sent_away: Notify::new(),
        })
    }

    /// Returns the client's address.
    pub fn client(&self) -> SocketAddr {
        self.client
    }

    /// Notes that the head of a request was read.
    pub fn asks(self: &Arc<Self>) -> Asking {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        self.stepped();
        Asking {
            visit: Arc::clone(self),
            has_arrived: AtomicBool::new(false),
        }
    }

    pub(super) fn moved(&self) {
        self.moved_after.store(self.elapsed(), Ordering::Relaxed);
    }

    fn stepped(&self) {
        self.stepped_after.store(self.elapsed(), Ordering::Relaxed);
    }

    fn elapsed(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    pub(super) fn moved_at(&self) -> Instant {
        self.started + Duration::from_millis(self.moved_after.load(Ordering::Relaxed))
    }

    pub(super) fn stepped_at(&self) -> Instant {
        self.started + Duration::from_millis(self.stepped_after.load(Ordering::Relaxed))
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    pub(super) fn has_asked(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a request has arrived, at least its head, and has no answer yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a request has arrived completely and has no answer yet. Then only the server can be slow.
    pub(super) fn is_served(&self) -> bool {
        self.arrived.load(Ordering::Relaxed) > 0
    }

    /// Ends the connection: [`Self::gone`] returns, even if it is awaited later.
    pub(super) fn send_away(&self) {
        self.sent_away.notify_one();
    }

    /// Returns when the connection has to end.
    pub(super) async fn gone(&self) {
        self.sent_away.notified().await;
    }
}

impl Asking {
    /// Notes that the whole request has arrived.
    pub fn arrived(&self) {
        if !self.has_arrived.swap(true, Ordering::Relaxed) {
            self.visit.arrived.fetch_add(1, Ordering::Relaxed);
            self.visit.stepped();
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let visit = &self.visit;
        // The answer is still to be written, for which the deadline begins now.
        visit.moved();
        visit.stepped();
        if *self.has_arrived.get_mut() {
            visit.arrived.fetch_sub(1, Ordering::Relaxed);
        }
        visit.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
