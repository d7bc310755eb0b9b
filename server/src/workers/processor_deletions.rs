//! Asks processors to delete objects that were deleted here. Servers on one database share the work by leases.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use tokio::sync::watch;

use super::pause;
use super::tasks::caught;

const WORKER: &str = "processor_deletions";
const POLL_EVERY: Duration = Duration::from_secs(2);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    loop {
        while !*stopped.borrow() {
            match services.processor_deletions.claim().await {
                Ok(Some(claimed)) => {
                    match caught(WORKER, services.processor_deletions.carry_out(claimed)).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => {
                            tracing::warn!(%error, "a deletion at a processor is delayed");
                        }
                        Err(panicked) => {
                            tracing::error!(%panicked, "a deletion at a processor is delayed");
                        }
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "deletions at processors could not be claimed");
                    break;
                }
            }
        }
        if !pause(POLL_EVERY, &mut stopped).await {
            break;
        }
    }
}
