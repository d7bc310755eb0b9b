//! Requests that wait to be stored, bounded by number and size.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::WaitingRequest;

/// The most requests that wait.
const WAITING_AT_MOST: usize = 1_000;
/// The most bytes that they hold together.
const BYTES_AT_MOST: usize = 8 * 1_024 * 1_024;

/// A queue that never makes a request wait: it drops what has no room.
#[derive(Default)]
pub struct Queue(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// The requests with their sizes.
    requests: VecDeque<(usize, Box<dyn WaitingRequest>)>,
    bytes: usize,
}

impl Queue {
    /// Adds a request, or drops it and returns `false` when the queue is full.
    pub fn push(&self, request: Box<dyn WaitingRequest>) -> bool {
        let size = request.size();
        let mut waiting = self.waiting();
        if waiting.requests.len() >= WAITING_AT_MOST || waiting.bytes + size > BYTES_AT_MOST {
            return false;
        }
        waiting.bytes += size;
        waiting.requests.push_back((size, request));
        true
    }

    /// Takes the first requests out.
    pub fn take(&self, at_most: usize) -> Vec<Box<dyn WaitingRequest>> {
        let mut waiting = self.waiting();
        let count = at_most.min(waiting.requests.len());
        let (sizes, taken): (Vec<usize>, Vec<_>) = waiting.requests.drain(..count).unzip();
        waiting.bytes -= sizes.iter().sum::<usize>();
        taken
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
