//! Counts for dynamic routing: written within the commits that record outcomes, and read when a payment is routed.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::routing::ports::{DynamicRoutingChange, DynamicRoutingStore};
use multirail_domain::routing::elimination::{EliminationConfig, Full, Standing};
use multirail_domain::routing::success_based::{Counted, SuccessBasedConfig};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{MerchantId, ProcessorKey, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use super::{elimination, success_counts};
use crate::engine::Write;
use crate::platform::lower::Stored;
use crate::platform::sql_store::SqlStore;

/// Number of rows over which the counts of one account and time are spread, so that commits don't wait for each other.
const SHARES: u8 = 8;

#[async_trait]
impl DynamicRoutingStore for SqlStore {
    async fn full_buckets(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Vec<Full>, StoreFailure> {
        elimination::full_buckets(&self.engine, merchant_id, profile_id, config, now).await
    }

    async fn elimination_standing(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &EliminationConfig,
        now: Timestamp,
    ) -> Result<Standing, StoreFailure> {
        elimination::standing(&self.engine, merchant_id, profile_id, config, now).await
    }

    async fn success_counts(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        config: &SuccessBasedConfig,
        now: Timestamp,
    ) -> Result<Vec<Counted>, StoreFailure> {
        success_counts::since(&self.engine, merchant_id, profile_id, config, now).await
    }

    async fn purge_dynamic_routing(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        let of_elimination = elimination::purge(&self.engine, now, at_most).await?;
        let of_success = success_counts::purge(&self.engine, now, at_most).await?;
        Ok(of_elimination + of_success)
    }
}

impl Change for Stored<DynamicRoutingChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            DynamicRoutingChange::CountForElimination(counted) => {
                elimination::count(counted, writes);
            }
            DynamicRoutingChange::CountForSuccessRates(counted) => {
                success_counts::count(counted, writes);
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}

/// Returns the row that a count is added to, by the random end of the key.
pub(crate) fn share(key: &ProcessorKey) -> i64 {
    let last = key.as_str().bytes().last();
    i64::from(last.unwrap_or_default() % SHARES)
}
