//! Deletes what has had its time: held cards whose client secret has lapsed, here and in memory, and old idempotency
//! keys.

use std::sync::Arc;
use std::time::Duration;

use multirail_domain::timestamp::Timestamp;
use tokio::sync::watch;

use super::pause;
use crate::app::App;

const PAUSE: Duration = Duration::from_secs(5);

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    while pause(PAUSE, &mut stopped).await {
        app.codes.forget_lapsed();
        match app.store.forget_lapsed_cards(app.now()).await {
            Ok(0) => {}
            Ok(cards) => tracing::info!(cards, "deleted held cards whose time is over"),
            Err(error) => tracing::warn!(%error, "the reaper could not delete held cards"),
        }
        let oldest = app
            .now()
            .plus_seconds(-app.settings.idempotency_retention_seconds);
        match app
            .store
            .forget_old_keys(oldest.unwrap_or(Timestamp::EPOCH))
            .await
        {
            Ok(0) => {}
            Ok(keys) => tracing::info!(keys, "deleted idempotency keys whose time is over"),
            Err(error) => tracing::warn!(%error, "the reaper could not delete idempotency keys"),
        }
    }
}
