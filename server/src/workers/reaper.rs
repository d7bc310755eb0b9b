//! Deletes what has had its time: held cards whose client secret has lapsed, here and in memory, old idempotency keys,
//! and old events with the tries to deliver them.

use std::sync::Arc;
use std::time::Duration;

use multirail_domain::timestamp::Timestamp;
use tokio::sync::watch;

use super::pause;
use crate::app::App;
use crate::ports::StoreFailure;

const PAUSE: Duration = Duration::from_secs(5);
/// Rounds from one look for old events to the next.
const EVENTS_EVERY: u32 = 12;
/// Events that go in one commit, so that payments are not kept waiting, and commits in a round.
const EVENTS_AT_ONCE: i64 = 500;
const PORTIONS: u32 = 100;

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let mut rounds: u32 = 0;
    while pause(PAUSE, &mut stopped).await {
        app.codes.forget_lapsed();
        let cards = app.store.forget_lapsed_cards(app.now()).await;
        tell("held cards", cards);
        let oldest_key = ago(&app, app.settings.idempotency_retention_seconds);
        let keys = app.store.forget_old_keys(oldest_key).await;
        tell("idempotency keys", keys);
        if rounds.is_multiple_of(EVENTS_EVERY) {
            tell("events", forget_events(&app, &stopped).await);
        }
        rounds = rounds.wrapping_add(1);
    }
}

async fn forget_events(app: &App, stopped: &watch::Receiver<bool>) -> Result<u64, StoreFailure> {
    let oldest = ago(app, app.settings.deliveries.retention_seconds);
    let mut forgotten = 0;
    for _ in 0..PORTIONS {
        let portion = app.events.forget_events(oldest, EVENTS_AT_ONCE).await?;
        forgotten += portion;
        if portion < EVENTS_AT_ONCE as u64 || *stopped.borrow() {
            break;
        }
    }
    Ok(forgotten)
}

fn ago(app: &App, seconds: i64) -> Timestamp {
    app.now().plus_seconds(-seconds).unwrap_or(Timestamp::EPOCH)
}

fn tell(what: &'static str, deleted: Result<u64, StoreFailure>) {
    match deleted {
        Ok(0) => {}
        Ok(count) => tracing::info!(what, count, "deleted what has had its time"),
        Err(error) => {
            tracing::warn!(what, %error, "the reaper could not delete what has had its time")
        }
    }
}
