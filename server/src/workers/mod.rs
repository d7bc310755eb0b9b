//! Loops without arguments: their work follows from stored data, so a restart does the same work. Each runs under a
//! supervisor, which restarts it when it fails.

mod audit_chain;
mod change_feed;
mod key_rotation;
mod notices;
mod operation_sync;
mod other_servers;
mod processor_deletions;
mod reaper;
mod redactions;
mod request_log;
mod supervisor;
mod webhook_delivery;

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use multirail_app::Services;
use multirail_platform::workers::{Worker, pause, tasks};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::supervisor::Supervisor;

/// Returns every worker of the core: its name, and the function that works until it gets the stop signal.
fn of_core(services: &Arc<Services>) -> Vec<Worker> {
    vec![
        Worker::new("audit_chain", services, audit_chain::run),
        Worker::new("change_feed", services, change_feed::run),
        Worker::new("key_rotation", services, key_rotation::run),
        Worker::new("notices", services, notices::run),
        Worker::new("operation_sync", services, operation_sync::run),
        Worker::new("other_servers", services, other_servers::run),
        Worker::new("processor_deletions", services, processor_deletions::run),
        Worker::new("webhook_delivery", services, webhook_delivery::run),
        Worker::new("redactions", services, redactions::run),
        Worker::new("request_log", services, request_log::run),
        Worker::new("reaper", services, reaper::run),
    ]
}

/// The workers of one server.
pub struct Workers {
    stop: watch::Sender<bool>,
    supervisors: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts the workers of the core, and those of satellites.
    pub fn start(services: &Arc<Services>, of_satellites: Vec<Worker>) -> Self {
        let (stop, stopped) = watch::channel(false);
        // Work that takes longer than a call to a processor may take has failed.
        let patience = Duration::from_secs(services.base.leases.in_flight_seconds().unsigned_abs());
        let workers = of_core(services).into_iter().chain(of_satellites);
        let supervisors = workers.map(|worker| {
            let supervisor = Supervisor {
                worker,
                health: Arc::clone(&services.worker_health),
                stopped: stopped.clone(),
                patience,
            };
            supervisor.start()
        });
        Workers {
            supervisors: supervisors.collect(),
            stop,
        }
    }

    /// Lets each finish its work, for as long as a call to a processor may take.
    pub async fn stop(self) {
        // There is no receiver if every worker has ended already.
        let _ = self.stop.send(true);
        for ended in join_all(self.supervisors).await {
            if let Err(error) = ended {
                tracing::error!(%error, "the supervisor of a worker failed");
            }
        }
    }
}
