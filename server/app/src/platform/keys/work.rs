//! The work of a change of all data keys: portions under a lease, which each of them renews.

use multirail_kernel::timestamp::Timestamp;
use tokio::sync::Notify;

use super::Keys;
use crate::platform::ports::StoreFailure;
use crate::platform::ports::installation_keys::{Portion, RotationClaim};

/// Wakes the worker of this server when this server begins a change. It is only a hint: the worker acts on stored rows.
#[derive(Default)]
pub struct KeyNotifier(Notify);

impl KeyNotifier {
    pub(crate) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for the begin of a change. Dropping the future while it waits loses nothing.
    pub async fn begun(&self) {
        self.0.notified().await;
    }
}

/// Seconds after which another server continues the work of a dead one. A portion takes a fraction of a second.
const LEASE_SECONDS: i64 = 20;
/// The number of rows in a portion, few enough that no payment waits for its commit.
const ROWS: i64 = 100;

/// A change of data keys that this server works on.
pub struct Work<'a> {
    keys: &'a Keys,
    claim: RotationClaim,
}

impl Keys {
    /// Claims the change that is under way, unless another server works on it.
    ///
    /// # Errors
    /// An error of the store.
    pub async fn take_up(&self) -> Result<Option<Work<'_>>, StoreFailure> {
        let wall = self.base.clock.wall();
        let claim = self.store.claim_rotation(wall, LEASE_SECONDS).await?;
        Ok(claim.map(|claim| Work { keys: self, claim }))
    }
}

impl Work<'_> {
    /// Does the next portion.
    ///
    /// # Errors
    /// An error of the store; finished portions stay.
    pub async fn portion(&self) -> Result<Portion, StoreFailure> {
        let (store, wall) = (&self.keys.store, self.keys.base.clock.wall());
        let done = store
            .seal_portion(&self.claim, wall, LEASE_SECONDS, ROWS)
            .await?;
        if done == Portion::Finished {
            tracing::info!(
                rotation_id = self.claim.rotation_id,
                "all data keys are changed: no stored data needs a former one"
            );
        }
        Ok(done)
    }

    /// Releases the claim, for another server or for later.
    pub async fn release(&self) {
        if let Err(error) = self.keys.store.release_rotation(&self.claim).await {
            tracing::warn!(%error, "a change of keys could not be released: it continues when its lease ends");
        }
    }

    /// Returns the duration until this wall time.
    pub fn until(&self, wall: Timestamp) -> std::time::Duration {
        let micros = wall.as_micros() - self.keys.base.clock.wall().as_micros();
        std::time::Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }
}
