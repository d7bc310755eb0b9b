//! Tells the streams of this server of new events. It looks every second, and sooner after a commit of this server.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use tokio::sync::watch;

use super::pause;

/// Events of other servers are found by then.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Many commits share a look, after which each stream looks its session up.
const GATHER: Duration = Duration::from_millis(250);
/// The pause after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let feed = &services.change_feed;
    loop {
        let rest = match feed.look().await {
            Ok(()) => LOOK_EVERY,
            Err(error) => {
                tracing::warn!(%error, "streams can't be told of new events");
                AFTER_FAILURE
            }
        };
        if !pause(GATHER, &mut stopped).await {
            return;
        }
        tokio::select! {
            goes_on = pause(rest, &mut stopped) => if !goes_on { return },
            () = feed.has_news() => {}
        }
    }
}
