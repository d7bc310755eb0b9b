//! Stored merchant accounts. Deleted ones are not found.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_kernel::ids::MerchantId;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a merchant account.
#[derive(Debug)]
pub enum MerchantChange {
    Insert(MerchantAccount),
    Update(MerchantAccount),
    /// Conflicts while payments of the merchant are held or open.
    Delete {
        merchant_id: MerchantId,
        version: i64,
    },
}

#[async_trait]
pub trait MerchantStore: Changes<MerchantChange> {
    async fn merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure>;

    async fn merchant_by_publishable_key(
        &self,
        publishable_key: &str,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure>;
}
