//! Routing configurations at rest. Which of them are active stands in the profile.

pub mod dynamic_routing;

pub use dynamic_routing::{DynamicRoutingChange, DynamicRoutingStore};

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::routing::{RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a configuration: there is one, because none is changed later.
#[derive(Debug)]
pub enum RoutingChange {
    Insert(Box<RoutingRecord>),
}

/// Which page of a merchant's configurations.
#[derive(Debug)]
pub struct RoutingSearch {
    pub transaction_type: TransactionType,
    pub profile_id: Option<ProfileId>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait RoutingStore: Changes<RoutingChange> {
    /// Kept in memory once it was read.
    async fn routing_record(
        &self,
        merchant_id: &MerchantId,
        routing_id: &RoutingId,
    ) -> Result<Option<Arc<RoutingRecord>>, StoreFailure>;

    /// What was stored last first.
    async fn search_routing(
        &self,
        merchant_id: &MerchantId,
        search: &RoutingSearch,
    ) -> Result<Vec<RoutingRecord>, StoreFailure>;
}
