//! Reseals data under former data keys, while a change of them is under way. An operator begins it, or this worker does if
//! an earlier version left data in plaintext that is sealed now. One of the servers on a database works on it, by a lease.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_app::Services;
use multirail_app::platform::keys::Work;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::Portion;
use tokio::sync::watch;

use super::pause;

/// The interval of checks whether a change began elsewhere, or whether another server has stopped working on it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The interval of checks whether plaintext of an earlier version is due to be sealed, while there is some.
const LOOK_AT_CLEAR_EVERY: Duration = Duration::from_secs(60);
/// The shortest pause between portions, which is as long as each portion takes: payments are not kept waiting.
const BREATH: Duration = Duration::from_millis(2);

pub(super) async fn run(services: Arc<Services>, mut stopped: watch::Receiver<bool>) {
    let mut look_at_clear = Some(Instant::now());
    loop {
        if look_at_clear.is_some_and(|at| at <= Instant::now()) {
            look_at_clear = match services.keys.seal_what_rests_clear().await {
                Ok(false) => None,
                Ok(true) => Some(Instant::now() + LOOK_AT_CLEAR_EVERY),
                Err(error) => {
                    tracing::warn!(%error, "plaintext of an earlier version is not sealed yet");
                    Some(Instant::now() + LOOK_AT_CLEAR_EVERY)
                }
            };
        }
        match services.keys.take_up().await {
            Ok(Some(work)) => {
                if let Err(error) = work_at(&work, &mut stopped).await {
                    tracing::warn!(%error, "a change of keys is delayed; it continues from its last position");
                }
                if *stopped.borrow() {
                    return work.release().await;
                }
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "could not check whether keys are being changed");
            }
        }
        tokio::select! {
            goes_on = pause(LOOK_EVERY, &mut stopped) => if !goes_on { return },
            () = services.keys.notifier.begun() => {}
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
            // In short steps, so that the lease doesn't expire meanwhile.
            Portion::Wait(until) => work.until(until).clamp(BREATH, LOOK_EVERY),
        };
        if !pause(rest, stopped).await {
            return Ok(());
        }
    }
}
