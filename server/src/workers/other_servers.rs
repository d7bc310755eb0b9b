//! Notices changes by other servers on the same database: keys and accounts, and the business clock.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use multirail_app::platform::ports::StoreFailure;
use tokio::sync::watch;

use super::pause;

const PAUSE: Duration = Duration::from_millis(500);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    while pause(PAUSE, &mut stopped).await {
        if let Err(error) = notice(&services).await {
            tracing::warn!(%error, "could not check for changes by other servers");
        }
    }
}

async fn notice(services: &Services) -> Result<(), StoreFailure> {
    services.store.notice_changes().await?;
    services
        .base
        .clock
        .set_advanced_seconds(services.store.clock_offset().await?);
    Ok(())
}
