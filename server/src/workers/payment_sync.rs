//! Finishes what was begun: asks the processor about every operation that has no final answer, with growing pauses, and
//! never stops asking. Servers on one database share the work: each takes up payments by a lease.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::pause;
use crate::app::{App, AppError, Origin};
use crate::ports::store::{ClaimedSync, SyncRoom};
use crate::ports::{Actor, metric};

const PAUSE: Duration = Duration::from_millis(500);
/// Payments asked about side by side. No more are claimed than are asked about at once: a lease isn't spent waiting.
const SIDE_BY_SIDE: usize = 32;
/// Those of one connector: a processor that lets us wait for every deadline leaves the others half of what there is.
const OF_ONE_CONNECTOR: usize = SIDE_BY_SIDE / 2;
/// From one count of the open outcomes to the next.
const COUNT_EVERY: Duration = Duration::from_secs(10);

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let counting = count(&app, stopped.clone());
    let asking = async {
        // Tasks, not futures of this loop: they must go on while it waits for a database connection, as they hold some.
        let mut running = JoinSet::new();
        let mut connectors = HashMap::new();
        loop {
            tokio::select! {
                goes_on = pause(PAUSE, &mut stopped) => if !goes_on { break },
                Some(ended) = running.join_next_with_id() => {
                    let task = ended.map_or_else(|failed| failed.id(), |(task, ())| task);
                    let before = room(connectors.values());
                    // Where there was room, nothing that is due was passed over.
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
            for one in claim(&app, room).await {
                let connector = one.connector.clone();
                let task = running.spawn(ask(Arc::clone(&app), one));
                connectors.insert(task.id(), connector);
            }
        }
        while running.join_next().await.is_some() {}
    };
    tokio::join!(counting, asking);
}

/// What there is room for beside those that are under way.
fn room<'a>(connectors: impl Iterator<Item = &'a String>) -> SyncRoom {
    let mut room = SyncRoom {
        free: SIDE_BY_SIDE,
        of_one_connector: OF_ONE_CONNECTOR,
        under_way: HashMap::new(),
    };
    connectors.for_each(|connector| room.take(connector));
    room
}

async fn claim(app: &App, room: SyncRoom) -> Vec<ClaimedSync> {
    let claimed = app.claim_syncs(room).await;
    metrics::counter!(metric::SYNC_ROUNDS, "result" => word(&claimed)).increment(1);
    claimed.unwrap_or_else(|error| {
        tracing::warn!(%error, "payment_sync could not take up what is due");
        Vec::new()
    })
}

async fn ask(app: Arc<App>, claimed: ClaimedSync) {
    let origin = Origin::new(Actor::Worker("payment_sync"), None);
    let result = app.sync_claimed(&origin, &claimed).await;
    metrics::counter!(metric::SYNC_PAYMENTS, "result" => word(&result)).increment(1);
    if let Err(error) = result {
        let (merchant_id, payment_id) = (&claimed.merchant_id, &claimed.payment_id);
        tracing::warn!(%merchant_id, %payment_id, %error, "payment_sync did not get through");
    }
}

async fn count(app: &App, mut stopped: watch::Receiver<bool>) {
    loop {
        if let Ok(open) = app.store.open_outcomes().await {
            for (with, payments) in [
                ("processor", open.with_processor),
                ("payer", open.with_payer),
            ] {
                metrics::gauge!(metric::OPEN_OUTCOMES, "with" => with).set(payments as f64);
            }
        }
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
