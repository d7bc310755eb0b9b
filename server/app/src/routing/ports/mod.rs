//! Stored routing configurations. The profile names the active ones.

pub mod dynamic_routing;

pub use dynamic_routing::{DynamicRoutingChange, DynamicRoutingStore};

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::routing::{PastPayment, RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a configuration. There is only one, because stored configurations never change.
#[derive(Debug)]
pub enum RoutingChange {
    Insert(Box<RoutingRecord>),
}

/// The filter for a list of configurations, and the page.
#[derive(Debug)]
pub struct RoutingSearch {
    pub transaction_type: TransactionType,
    pub profile_id: Option<ProfileId>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait RoutingStore: Changes<RoutingChange> {
    /// Returns a configuration, which stays in memory after its first read.
    async fn routing_record(
        &self,
        merchant_id: &MerchantId,
        routing_id: &RoutingId,
    ) -> Result<Option<Arc<RoutingRecord>>, StoreFailure>;

    /// Returns a page, last stored first.
    async fn search_routing(
        &self,
        merchant_id: &MerchantId,
        search: &RoutingSearch,
    ) -> Result<Vec<RoutingRecord>, StoreFailure>;
}

/// The stored payments that estimates replay.
#[async_trait]
pub trait PastPaymentStore: Send + Sync {
    /// Returns the newest payments of a profile with their first attempts, at most `most`. Unreadable payments are left
    /// out.
    async fn past_payments(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        most: u32,
    ) -> Result<Vec<Box<dyn PastPayment>>, StoreFailure>;
}
