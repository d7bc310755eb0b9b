//! Messages between the thread that writes and the tasks that use it.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use multirail_sql::{Standstill, Write, WriteError};
use tokio::sync::oneshot;

/// The number of rows that each statement of a batch changed.
pub(super) type BatchResult = Result<Vec<u64>, WriteError>;

/// A request to the thread.
pub(super) enum Job {
    Batch(Batch),
    Stop,
}

pub(super) struct Batch {
    pub(super) writes: Vec<Write>,
    /// The writes are returned with the result.
    pub(super) answer: oneshot::Sender<(BatchResult, Vec<Write>)>,
}

/// The thread's state, for other threads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) groups: AtomicU64,
    pub(super) batches: AtomicU64,
    /// Why the last group couldn't be stored, if it couldn't.
    standstill: Mutex<Option<Standstill>>,
}

impl Counters {
    /// Records the present standstill, and returns the one before.
    pub(super) fn note(&self, standstill: Option<Standstill>) -> Option<Standstill> {
        let mut noted = self.standstill();
        std::mem::replace(&mut noted, standstill)
    }

    pub(super) fn standstill(&self) -> MutexGuard<'_, Option<Standstill>> {
        self.standstill
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
