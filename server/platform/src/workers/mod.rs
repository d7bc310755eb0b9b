//! Workers as values: each subject defines its own, and the program starts all of them under a supervisor.

pub mod tasks;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::watch;

/// The metric of tasks that panicked.
pub const TASK_PANICS: &str = "multirail_worker_task_panics_total";

/// A loop without arguments: its work follows from the stored data.
pub struct Worker {
    /// The worker's name in health reports and metrics.
    pub name: &'static str,
    run: Box<dyn Fn(watch::Receiver<bool>) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Worker {
    /// Returns a worker; `run` works with its context until it gets the stop signal.
    pub fn new<C, F, W>(name: &'static str, context: &Arc<C>, run: F) -> Self
    where
        C: Send + Sync + 'static,
        F: Fn(Arc<C>, watch::Receiver<bool>) -> W + Send + Sync + 'static,
        W: Future<Output = ()> + Send + 'static,
    {
        let context = Arc::clone(context);
        Worker {
            name,
            run: Box::new(move |stopped| Box::pin(run(Arc::clone(&context), stopped))),
        }
    }

    /// Runs the loop once.
    pub fn run(&self, stopped: watch::Receiver<bool>) -> BoxFuture<'static, ()> {
        (self.run)(stopped)
    }
}

/// Waits; returns false if it is time to stop.
pub async fn pause(duration: Duration, stopped: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = tokio::time::sleep(duration) => true,
        _ = stopped.wait_for(|stop| *stop) => false,
    }
}
