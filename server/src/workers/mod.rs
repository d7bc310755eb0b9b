//! Loops without arguments: what they do follows from what is stored, so a restart does the same work.

mod other_servers;
mod payment_sync;
mod reaper;
mod webhook_delivery;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::App;

/// The workers of one server.
pub struct Workers {
    stop: watch::Sender<bool>,
    running: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts them all.
    pub fn start(app: Arc<App>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let running = vec![
            tokio::spawn(payment_sync::run(Arc::clone(&app), stopped.clone())),
            tokio::spawn(other_servers::run(Arc::clone(&app), stopped.clone())),
            tokio::spawn(webhook_delivery::run(Arc::clone(&app), stopped.clone())),
            tokio::spawn(reaper::run(app, stopped)),
        ];
        Workers { stop, running }
    }

    /// Lets each finish what it is doing.
    pub async fn stop(self) {
        // No receiver is left when every worker has ended already.
        let _ = self.stop.send(true);
        for worker in self.running {
            if let Err(error) = worker.await {
                tracing::error!(%error, "a worker had failed");
            }
        }
    }
}

/// Waits; false when it is time to stop.
async fn pause(duration: Duration, stopped: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = tokio::time::sleep(duration) => true,
        _ = stopped.wait_for(|stop| *stop) => false,
    }
}
