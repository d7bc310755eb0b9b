//! Seals anew what rests under former data keys, while an operator's change of them is under way. Of several servers on one
//! database one works at it, by a lease.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_app::App;
use multirail_app::keys::Work;
use multirail_app::ports::StoreFailure;
use multirail_app::ports::installation_keys::Portion;
use tokio::sync::watch;

use super::pause;

/// How often it is looked whether a change began elsewhere, or whether another server has stopped working at it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// At least this long between portions, and as long as each takes: payments are not kept waiting.
const BREATH: Duration = Duration::from_millis(2);

pub(super) async fn run(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    loop {
        match app.take_up_key_change().await {
            Ok(Some(work)) => {
                if let Err(error) = work_at(&work, &mut stopped).await {
                    tracing::warn!(%error, "a change of keys is held up; it goes on from where it is");
                }
                if *stopped.borrow() {
                    return work.release().await;
                }
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "could not look whether keys are being changed");
            }
        }
        tokio::select! {
            goes_on = pause(LOOK_EVERY, &mut stopped) => if !goes_on { return },
            () = app.key_changes.begun() => {}
        }
    }
}

async fn work_at(work: &Work<'_>, stopped: &mut watch::Receiver<bool>) -> Result<(), StoreFailure> {
    loop {
        let started = Instant::now();
        let rest = match work.portion().await? {
            Portion::Finished | Portion::Lost => return Ok(()),
            Portion::More(0) => BREATH,
            Portion::More(_) => started.elapsed().max(BREATH),
            // Little by little, so that the lease doesn't lapse meanwhile.
            Portion::Wait(until) => work.until(until).clamp(BREATH, LOOK_EVERY),
        };
        if !pause(rest, stopped).await {
            return Ok(());
        }
    }
}
