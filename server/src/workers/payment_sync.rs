//! Finishes what was begun: asks the processor about every operation that has no final answer, with growing pauses, and
//! never stops asking. Servers on one database share the work: each takes up payments by a lease.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::pause;
use crate::app::{App, AppError, Origin};
use crate::ports::store::ClaimedSync;
use crate::ports::{Actor, metric};

const PAUSE: Duration = Duration::from_millis(500);
/// Payments asked about side by side, so that a processor that lets us wait for the deadline holds up few others. No more
/// are claimed than are asked about at once: a lease isn't spent waiting.
const SIDE_BY_SIDE: usize = 32;
/// From one count of the open outcomes to the next.
const COUNT_EVERY: Duration = Duration::from_secs(10);

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let counting = count(&app, stopped.clone());
    let asking = async {
        // Tasks, not futures of this loop: they must go on while it waits for a database connection, as they hold some.
        let mut running = JoinSet::new();
        let mut more_is_due = false;
        loop {
            tokio::select! {
                goes_on = pause(PAUSE, &mut stopped) => if !goes_on { break },
                Some(_) = running.join_next() => if !more_is_due { continue },
            }
            let free = SIDE_BY_SIDE - running.len();
            if free == 0 {
                continue;
            }
            let claimed = claim(&app, free).await;
            more_is_due = claimed.len() == free;
            for one in claimed {
                running.spawn(ask(Arc::clone(&app), one));
            }
        }
        while running.join_next().await.is_some() {}
    };
    tokio::join!(counting, asking);
}

async fn claim(app: &App, at_most: usize) -> Vec<ClaimedSync> {
    let claimed = app.claim_syncs(at_most as i64).await;
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
            metrics::gauge!(metric::OPEN_OUTCOMES).set(open as f64);
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
