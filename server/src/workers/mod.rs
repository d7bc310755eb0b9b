//! Loops without arguments: what they do follows from what is stored, so a restart does the same work. Each runs under a
//! supervisor, which starts it again when it fails.

mod audit_chain;
mod billing;
mod key_rotation;
mod mails;
mod notices;
mod operation_sync;
mod other_servers;
mod processor_deletions;
mod reaper;
mod redactions;
mod supervisor;
mod tasks;
mod webhook_delivery;

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use multirail_app::Services;
use multirail_app::worker_health::WorkerHealth;
use multirail_billing::app::subscriptions::Billing;
use multirail_identity::app::Identity;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::supervisor::{Supervisor, Worker};

/// Every worker of the core: its name, and the function that works until it hears the stop signal.
fn all() -> [Worker<Services>; 9] {
    [
        Worker::new("audit_chain", audit_chain::run),
        Worker::new("key_rotation", key_rotation::run),
        Worker::new("notices", notices::run),
        Worker::new("operation_sync", operation_sync::run),
        Worker::new("other_servers", other_servers::run),
        Worker::new("processor_deletions", processor_deletions::run),
        Worker::new("webhook_delivery", webhook_delivery::run),
        Worker::new("redactions", redactions::run),
        Worker::new("reaper", reaper::run),
    ]
}

/// The workers of one server.
pub struct Workers {
    stop: watch::Sender<bool>,
    supervisors: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts them all.
    pub fn start(app: &Arc<Services>, billing: &Billing, identity: &Identity) -> Self {
        let (stop, stopped) = watch::channel(false);
        // What takes longer than a call to a processor may take has failed.
        let patience = Duration::from_secs(app.leases.in_flight_seconds().unsigned_abs());
        let start = Start {
            health: &app.worker_health,
            stopped: &stopped,
            patience,
        };
        let mut supervisors: Vec<_> = all().map(|worker| start.worker(worker, app)).into();
        let bills = Worker::new("billing", billing::run);
        supervisors.push(start.worker(bills, &billing.collector));
        let mails = Worker::new("mails", mails::run);
        supervisors.push(start.worker(mails, &identity.password_mails));
        Workers { stop, supervisors }
    }

    /// Lets each finish what it is doing, for as long as a call to a processor may take.
    pub async fn stop(self) {
        // No receiver is left when every worker has ended already.
        let _ = self.stop.send(true);
        for ended in join_all(self.supervisors).await {
            if let Err(error) = ended {
                tracing::error!(%error, "the supervisor of a worker had failed");
            }
        }
    }
}

/// The things that every worker starts with.
struct Start<'a> {
    health: &'a Arc<WorkerHealth>,
    stopped: &'a watch::Receiver<bool>,
    patience: Duration,
}

impl Start<'_> {
    fn worker<C: Send + Sync + 'static>(
        &self,
        worker: Worker<C>,
        context: &Arc<C>,
    ) -> JoinHandle<()> {
        let supervisor = Supervisor {
            worker,
            context: Arc::clone(context),
            health: Arc::clone(self.health),
            stopped: self.stopped.clone(),
            patience: self.patience,
        };
        supervisor.start()
    }
}

/// Waits; false when it is time to stop.
async fn pause(duration: Duration, stopped: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = tokio::time::sleep(duration) => true,
        _ = stopped.wait_for(|stop| *stop) => false,
    }
}
