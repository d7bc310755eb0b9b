//! Asks processors to delete methods, customers and charge permissions that were deleted here.
//!
//! The commit of the deletion here also stores a row for each processor's copy. A server claims a row by a lease and
//! asks the processor. Failed requests are repeated, with growing pauses.

use std::sync::Arc;

use multirail_sdk::connector::{DeleteKeptRequest, UnknownReason};

use crate::AppError;
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::customers::ports::ConnectorCustomerStore;
use crate::customers::ports::connector_customers::ClaimedDeletion;
use crate::platform::base::Base;
use crate::platform::lease::Leased;
use crate::platform::ports::StoreFailure;

/// The pause after the first failed request; each further pause is twice as long.
const FIRST_PAUSE_SECONDS: i64 = 30;
const LONGEST_PAUSE_SECONDS: i64 = 6 * 3_600;
/// With these pauses the tries last about ten days.
const MOST_TRIES: i64 = 50;

/// Asks processors to delete their copies.
pub struct ProcessorDeletions {
    pub base: Arc<Base>,
    pub store: Arc<dyn ConnectorCustomerStore>,
    pub accounts: Arc<ProcessorAccounts>,
}

impl ProcessorDeletions {
    /// Claims one deletion that is due, if there is one.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self) -> Result<Option<ClaimedDeletion>, StoreFailure> {
        let wall = self.base.clock.wall();
        let lease_until = self.base.leases.until(Leased::ProcessorDeletion, wall);
        let claimed = self
            .store
            .claim_connector_deletion(self.base.now(), wall, lease_until);
        claimed.await
    }

    /// Asks the processor to carry out a claimed deletion.
    ///
    /// # Errors
    /// A store that fails: another claim follows when the lease has expired.
    pub async fn carry_out(&self, claimed: ClaimedDeletion) -> Result<(), AppError> {
        let account = self
            .accounts
            .ever(&claimed.merchant_id, &claimed.merchant_connector_id)
            .await?;
        let connector = self.accounts.connectors.find(&account.connector_name);
        let able = connector
            .as_ref()
            .map(|connector| connector.able(|able| able.deletes_stored));
        let deleted = match able {
            Some(Some(deletions)) => {
                let request = DeleteKeptRequest {
                    access: account.access(),
                    kept: claimed.kept.clone(),
                };
                let patience = self.base.leases.processor_deadline;
                let deleted =
                    tokio::time::timeout(patience, deletions.delete_stored(request)).await;
                deleted.unwrap_or(Err(UnknownReason::Timeout))
            }
            // The processor has nothing that could be deleted.
            Some(None) => Ok(()),
            None => Err(UnknownReason::Interrupted),
        };
        let id = claimed.kept.id();
        match deleted {
            Ok(()) => self.store.end_connector_deletion(&claimed).await?,
            Err(reason) if claimed.tries >= MOST_TRIES => {
                let account = claimed.merchant_connector_id.as_str();
                tracing::error!(account, id, %reason, "the processor did not delete its copy; the server stops asking");
                self.store.end_connector_deletion(&claimed).await?;
            }
            Err(reason) => {
                let account = claimed.merchant_connector_id.as_str();
                tracing::warn!(account, id, %reason, "the processor is asked again to delete its copy");
                let due_at = self.base.now().plus_seconds(pause(claimed.tries));
                let due_at = due_at.unwrap_or(self.base.now());
                self.store
                    .put_off_connector_deletion(&claimed, due_at)
                    .await?;
            }
        }
        Ok(())
    }
}

/// Returns the pause in seconds after this number of failed requests.
fn pause(tries: i64) -> i64 {
    let doublings = u32::try_from(tries.clamp(0, 20)).unwrap_or(20);
    let pause = FIRST_PAUSE_SECONDS.saturating_mul(1 << doublings);
    pause.min(LONGEST_PAUSE_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_six_hours() {
        let pauses = [0, 1, 2, 9, 10, 50].map(pause);
        assert_eq!(pauses, [30, 60, 120, 15_360, 21_600, 21_600]);
    }
}
