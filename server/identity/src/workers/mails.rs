//! Sends requested mail. Servers on one database share the work by leases, and each sends one mail at a time.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Origin;
use multirail_app::platform::ports::Actor;
use multirail_platform::workers::pause;
use multirail_platform::workers::tasks::caught;
use tokio::sync::watch;

use crate::app::PasswordMails;

pub(super) const WORKER: &str = "mails";
const POLL_EVERY: Duration = Duration::from_secs(2);

pub(super) async fn run(mails: Arc<PasswordMails>, mut stopped: watch::Receiver<bool>) {
    let origin = Origin::of_service(Actor::Worker(WORKER));
    loop {
        while !*stopped.borrow() {
            match mails.claim().await {
                Ok(Some(claimed)) => match caught(WORKER, mails.send(&origin, claimed)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::warn!(%error, "sending mail is postponed"),
                    Err(panicked) => tracing::error!(%panicked, "sending mail is postponed"),
                },
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "due mail could not be claimed");
                    break;
                }
            }
        }
        tokio::select! {
            goes_on = pause(POLL_EVERY, &mut stopped) => if !goes_on { break },
            () = mails.notifier.requested() => {}
        }
    }
}
