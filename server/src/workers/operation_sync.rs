//! Finishes open operations: asks the processor about every operation that has no final answer, with growing pauses, and
//! never stops asking. Servers on one database share the work: each claims operations by a lease.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::operations::operation_sync::OperationSync;
use multirail_app::operations::ports::open_operations::{ClaimedOperation, Room};
use multirail_app::platform::ports::{Actor, metric};
use multirail_app::{AppError, Origin, Services};
use tokio::sync::watch;

use super::pause;
use super::tasks::{Tasks, caught};

const PAUSE: Duration = Duration::from_millis(500);
/// Operations asked about in parallel. No more are claimed, so that no lease is spent waiting.
const SIDE_BY_SIDE: usize = 32;
/// The most of them for one connector: a processor that makes every call wait for its deadline leaves half to the others.
const OF_ONE_CONNECTOR: usize = SIDE_BY_SIDE / 2;
/// The interval of counting open outcomes.
const COUNT_EVERY: Duration = Duration::from_secs(10);

/// The functions that the loop calls.
#[async_trait]
trait Syncs: Send + Sync + 'static {
    /// Claims operations that are due, as far as there is room.
    async fn claim(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError>;
    /// Asks about one claimed operation, records the answer and ends the lease.
    async fn ask(&self, claimed: &ClaimedOperation) -> Result<(), AppError>;
    /// Measures how many operations have no final answer.
    async fn measure(&self);
}

#[async_trait]
impl Syncs for OperationSync {
    async fn claim(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError> {
        OperationSync::claim(self, room).await
    }

    async fn ask(&self, claimed: &ClaimedOperation) -> Result<(), AppError> {
        let origin = Origin::of_service(Actor::Worker("operation_sync"));
        OperationSync::ask(self, &origin, claimed).await
    }

    async fn measure(&self) {
        if let Ok(open) = self.open_outcomes().await {
            for (with, operations) in [
                ("processor", open.with_processor),
                ("payer", open.with_payer),
            ] {
                metrics::gauge!(metric::OPEN_OUTCOMES, "with" => with).set(operations as f64);
            }
        }
    }
}

pub(super) async fn run(services: Arc<Services>, stopped: watch::Receiver<bool>) {
    work(Arc::clone(&services.operation_sync), stopped).await;
}

async fn work(syncs: Arc<impl Syncs>, mut stopped: watch::Receiver<bool>) {
    let counting = count(syncs.as_ref(), stopped.clone());
    let asking = async {
        // Tasks, not futures of this loop: some hold a database connection, and must go on while the loop waits for one.
        let mut running = Tasks::default();
        let mut connectors = HashMap::new();
        loop {
            tokio::select! {
                goes_on = pause(PAUSE, &mut stopped) => if !goes_on { break },
                Some(ended) = running.join_next_with_id() => {
                    let task = ended.map_or_else(|failed| failed.id(), |(task, ())| task);
                    let before = room(connectors.values());
                    // A connector that had room was not passed over.
                    let made_room = connectors
                        .remove(&task)
                        .is_some_and(|connector| !before.has_room(&connector));
                    if !made_room { continue }
                },
            }
            let room = room(connectors.values());
            if room.free == 0 {
                continue;
            }
            for one in claim(syncs.as_ref(), room).await {
                let connector = one.connector.clone();
                let task = running.spawn(ask(Arc::clone(&syncs), one));
                connectors.insert(task.id(), connector);
            }
        }
        while running.join_next().await.is_some() {}
    };
    tokio::join!(counting, asking);
}

/// Returns how many more operations this server may claim, given the connectors of the questions under way.
fn room<'a>(connectors: impl Iterator<Item = &'a String>) -> Room {
    let mut room = Room {
        free: SIDE_BY_SIDE,
        of_one_connector: OF_ONE_CONNECTOR,
        under_way: HashMap::new(),
    };
    connectors.for_each(|connector| room.take(connector));
    room
}

async fn claim(syncs: &impl Syncs, room: Room) -> Vec<ClaimedOperation> {
    let claimed = syncs.claim(room).await;
    metrics::counter!(metric::SYNC_ROUNDS, "result" => word(&claimed)).increment(1);
    claimed.unwrap_or_else(|error| {
        tracing::warn!(%error, "operation_sync could not claim due operations");
        Vec::new()
    })
}

async fn ask(syncs: Arc<impl Syncs>, claimed: ClaimedOperation) {
    let asked = caught("operation_sync", syncs.ask(&claimed)).await;
    let result = asked.unwrap_or_else(|panicked| Err(AppError::Broken(panicked.to_string())));
    metrics::counter!(metric::SYNC_OPERATIONS, "result" => word(&result)).increment(1);
    if let Err(error) = result {
        let (merchant_id, key) = (&claimed.merchant_id, &claimed.processor_key);
        tracing::warn!(%merchant_id, %key, %error, "operation_sync could not process an operation");
    }
}

async fn count(syncs: &impl Syncs, mut stopped: watch::Receiver<bool>) {
    loop {
        syncs.measure().await;
        if !pause(COUNT_EVERY, &mut stopped).await {
            return;
        }
    }
}

fn word<T>(result: &Result<T, AppError>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(_) => "failed",
    }
}

#[cfg(test)]
mod tests;
