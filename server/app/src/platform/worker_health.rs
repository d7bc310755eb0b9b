//! The state of this server's workers, for `/health/ready`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state of one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerStatus {
    /// The worker runs.
    Ready,
    /// The worker failed and hasn't run well since: it waits for its restart, or was just restarted.
    Restarting,
}

/// The workers by name. The supervisor writes, and the health operations read.
#[derive(Default)]
pub struct WorkerHealth {
    workers: Mutex<BTreeMap<&'static str, WorkerStatus>>,
}

impl WorkerHealth {
    pub fn set(&self, worker: &'static str, status: WorkerStatus) {
        self.lock().insert(worker, status);
    }

    /// Returns every worker, in the order of the names.
    pub fn all(&self) -> Vec<(&'static str, WorkerStatus)> {
        let workers = self.lock();
        workers
            .iter()
            .map(|(name, status)| (*name, *status))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, WorkerStatus>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
