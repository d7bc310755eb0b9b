//! Stores the requests that wait for the request log. They wait in memory and not in this worker, so a restart of the
//! worker loses none. A stopping server stores the last ones after its last answer.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use tokio::sync::watch;

use super::pause;

/// The time that a request waits for its commit, which many share.
const PAUSE: Duration = Duration::from_millis(500);
/// The pause after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let mut rest = PAUSE;
    while pause(rest, &mut stopped).await {
        rest = match services.request_log.store_waiting().await {
            Ok(()) => PAUSE,
            Err(error) => {
                tracing::warn!(%error, "requests can't be stored in the request log");
                AFTER_FAILURE
            }
        };
    }
}
