//! Redacts the payments of redacted customers. Servers on one database share the work by leases. Each works on one customer
//! at a time, so that payments are not kept waiting.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::payments::ports::redactions::ClaimedRedaction;
use multirail_app::platform::ports::Actor;
use multirail_app::{Origin, Services};
use tokio::sync::watch;

use super::pause;
use super::tasks::caught;

const WORKER: &str = "redactions";
const POLL_EVERY: Duration = Duration::from_secs(2);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let origin = Origin::of_service(Actor::Worker(WORKER));
    loop {
        while !*stopped.borrow() {
            match services.payment_redactions.claim().await {
                Ok(Some(claimed)) => work(&services, &origin, claimed, &stopped).await,
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "due redactions could not be claimed");
                    break;
                }
            }
        }
        tokio::select! {
            goes_on = pause(POLL_EVERY, &mut stopped) => if !goes_on { break },
            () = services.customers.redactions.requested() => {}
        }
    }
}

/// Works until the pass is over. When the server stops, another one or the next start continues.
async fn work(
    services: &Services,
    origin: &Origin,
    claimed: ClaimedRedaction,
    stopped: &watch::Receiver<bool>,
) {
    let customer_id = claimed.customer_id.clone();
    let mut left = Some(claimed);
    while let Some(claimed) = left.take().filter(|_| !*stopped.borrow()) {
        match caught(
            WORKER,
            services.payment_redactions.redact_portion(origin, claimed),
        )
        .await
        {
            Ok(Ok(more)) => left = more,
            Ok(Err(error)) => {
                tracing::warn!(%customer_id, %error, "the payments of a redacted customer wait to be redacted");
            }
            Err(panicked) => {
                tracing::error!(%customer_id, %panicked, "the payments of a redacted customer wait to be redacted");
            }
        }
    }
}
