//! Keeps one worker running. A worker that panics, or ends without the stop signal, is restarted after a pause. The pause
//! doubles with each failure and is short again once the worker has run well.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::platform::ports::metric;
use multirail_app::platform::worker_health::{WorkerHealth, WorkerStatus};
use multirail_platform::workers::Worker;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep_until, timeout};

use super::pause;
use super::tasks::panic_message;

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A worker that has run for so long runs well.
const RUNS_WELL_AFTER: Duration = Duration::from_secs(60);

/// Why a worker ended without the stop signal.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    Panicked(String),
    Ended,
}

impl Failure {
    /// Returns the label of the metric.
    fn kind(&self) -> &'static str {
        match self {
            Failure::Panicked(_) => "panicked",
            Failure::Ended => "ended",
        }
    }

    fn reason(&self) -> &str {
        match self {
            Failure::Panicked(message) => message,
            Failure::Ended => "it ended without a stop signal",
        }
    }
}

/// The pause of a worker before its next start.
#[derive(Default)]
struct Backoff {
    failures: u32,
}

impl Backoff {
    fn failed(&mut self) -> Duration {
        let doubled =
            FIRST_PAUSE.saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX));
        self.failures = self.failures.saturating_add(1);
        doubled.min(LONGEST_PAUSE)
    }

    fn runs_well(&mut self) {
        self.failures = 0;
    }
}

/// One worker with its restarts.
pub(super) struct Supervisor {
    pub worker: Worker,
    pub health: Arc<WorkerHealth>,
    pub stopped: watch::Receiver<bool>,
    /// How long a worker may take to finish its work after the stop signal.
    pub patience: Duration,
}

impl Supervisor {
    /// Starts the worker. The handle ends when the worker has stopped.
    pub(super) fn start(self) -> JoinHandle<()> {
        let worker = self.worker.name;
        // A metric that exists before the first failure can be watched for growth.
        for kind in ["panicked", "ended"] {
            failures(worker, kind).increment(0);
        }
        metrics::counter!(metric::WORKER_TASK_PANICS, "worker" => worker).increment(0);
        self.health.set(worker, WorkerStatus::Ready);
        tokio::spawn(self.run())
    }

    async fn run(mut self) {
        let worker = self.worker.name;
        let mut backoff = Backoff::default();
        while let Some(failure) = self.run_once(&mut backoff).await {
            let wait = backoff.failed();
            failures(worker, failure.kind()).increment(1);
            self.health.set(worker, WorkerStatus::Restarting);
            let (reason, seconds) = (failure.reason(), wait.as_secs());
            if self.is_stopping() {
                tracing::error!(worker, reason, "a worker failed while it was to stop");
                return;
            }
            tracing::error!(
                worker,
                reason,
                seconds,
                "a worker failed and is started again after a pause"
            );
            if !pause(wait, &mut self.stopped).await {
                return;
            }
        }
    }

    /// Runs the worker until it ends. Returns none if it stopped because of the stop signal.
    async fn run_once(&self, backoff: &mut Backoff) -> Option<Failure> {
        let mut running = tokio::spawn(self.worker.run(self.stopped.clone()));
        let mut stopped = self.stopped.clone();
        let well_at = Instant::now() + RUNS_WELL_AFTER;
        let mut runs_well = false;
        loop {
            tokio::select! {
                biased;
                ended = &mut running => return self.failure(ended),
                () = stop_signal(&mut stopped) => return self.finish(running).await,
                () = sleep_until(well_at), if !runs_well => {
                    runs_well = true;
                    backoff.runs_well();
                    self.health.set(self.worker.name, WorkerStatus::Ready);
                }
            }
        }
    }

    /// Lets a worker finish its work after the stop signal.
    async fn finish(&self, mut running: JoinHandle<()>) -> Option<Failure> {
        match timeout(self.patience, &mut running).await {
            Ok(ended) => self.failure(ended),
            Err(_) => {
                let (worker, seconds) = (self.worker.name, self.patience.as_secs());
                tracing::warn!(
                    worker,
                    seconds,
                    "a worker did not stop in time and is cut off"
                );
                running.abort();
                None
            }
        }
    }

    fn failure(&self, ended: Result<(), JoinError>) -> Option<Failure> {
        match ended {
            Ok(()) if self.is_stopping() => None,
            Ok(()) => Some(Failure::Ended),
            Err(error) => match error.try_into_panic() {
                Ok(payload) => Some(Failure::Panicked(panic_message(payload.as_ref()))),
                // The runtime is shutting down.
                Err(_) => None,
            },
        }
    }

    /// Returns whether the stop signal was given, or its sender is gone.
    fn is_stopping(&self) -> bool {
        *self.stopped.borrow() || self.stopped.has_changed().is_err()
    }
}

async fn stop_signal(stopped: &mut watch::Receiver<bool>) {
    // Without a sender, the signal counts as given.
    let _ = stopped.wait_for(|stop| *stop).await;
}

fn failures(worker: &'static str, kind: &'static str) -> metrics::Counter {
    metrics::counter!(metric::WORKER_FAILURES, "worker" => worker, "kind" => kind)
}

#[cfg(test)]
mod tests;
