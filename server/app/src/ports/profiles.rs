//! Business profiles at rest.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::profile::Profile;

use super::failure::StoreFailure;

/// A change of a profile.
#[derive(Debug)]
pub enum ProfileChange {
    Insert(Profile),
    Update(Profile),
}

#[async_trait]
pub trait ProfileStore: Send + Sync {
    async fn profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<Profile>>, StoreFailure>;

    /// Oldest first.
    async fn profiles(&self, merchant_id: &MerchantId) -> Result<Vec<Profile>, StoreFailure>;
}
