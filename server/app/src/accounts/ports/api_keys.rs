//! Stored API keys. The store never has the key itself.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::accounts::api_key::ApiKey;
use multirail_kernel::ids::{ApiKeyId, MerchantId};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of an API key.
#[derive(Debug)]
pub enum ApiKeyChange {
    Insert(ApiKey),
    Update(ApiKey),
    Delete {
        merchant_id: MerchantId,
        key_id: ApiKeyId,
    },
}

#[async_trait]
pub trait ApiKeyStore: Changes<ApiKeyChange> {
    /// Returns the key with this hash, unless its merchant account is deleted.
    async fn api_key_by_hash(&self, hash: &str) -> Result<Option<Arc<ApiKey>>, StoreFailure>;

    async fn api_key(
        &self,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<Option<ApiKey>, StoreFailure>;

    /// Lists the keys, oldest first.
    async fn api_keys(
        &self,
        merchant_id: &MerchantId,
        limit: i64,
        skip: i64,
    ) -> Result<Vec<ApiKey>, StoreFailure>;
}
