//! Adds the entries that commits have left to the chain of the audit log. Several servers on one database compete; the
//! first does it.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use tokio::sync::watch;

use super::pause;

/// How long an entry may wait for its place in the chain.
const PAUSE: Duration = Duration::from_millis(500);
/// The pause after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let mut rest = PAUSE;
    while pause(rest, &mut stopped).await {
        rest = match services.audit.chain().await {
            Ok(_) => PAUSE,
            Err(error) => {
                tracing::error!(%error, "entries of the audit log can't be chained");
                AFTER_FAILURE
            }
        };
    }
}
