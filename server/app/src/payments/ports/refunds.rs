//! Stored refunds.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::object_class::ObjectClass;

/// The class of refunds.
pub const REFUND: ObjectClass = ObjectClass::new("refund");

/// A change of a refund. The same change-set contains the change of its payment.
#[derive(Debug)]
pub enum RefundChange {
    Insert {
        refund: Arc<Refund>,
        sums: RefundSums,
    },
    /// Conflicts where the version changed since `before` was read. Stores the sums where the payment counts the refund
    /// differently than before.
    Update {
        before: Arc<Refund>,
        after: Arc<Refund>,
        sums: RefundSums,
    },
    /// Stores, sealed, the caller's credentials for the refund.
    HoldCredentials {
        merchant_id: MerchantId,
        refund_id: RefundId,
        credentials: SecretText,
    },
    DeleteCredentials {
        merchant_id: MerchantId,
        refund_id: RefundId,
    },
}

/// The sum of a payment's refunds after the change, in minor units. The database refuses more than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundSums {
    /// The amount that was refunded, or may still be.
    pub refunded: i64,
    pub limit: i64,
}

/// The filter for a list of refunds, and the page. A refund has to match every member that is set; an empty list
/// matches all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RefundSearch {
    pub payment_id: Option<PaymentId>,
    pub refund_id: Option<RefundId>,
    pub profile_id: Option<String>,
    /// Inclusive.
    pub created_from: Option<Timestamp>,
    /// Inclusive.
    pub created_until: Option<Timestamp>,
    /// Minor units, inclusive.
    pub amount_from: Option<i64>,
    /// Minor units, inclusive.
    pub amount_until: Option<i64>,
    pub connectors: Vec<String>,
    pub merchant_connector_ids: Vec<String>,
    pub currencies: Vec<String>,
    pub statuses: Vec<String>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait RefundStore: Changes<RefundChange> + Send + Sync {
    async fn refund(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure>;

    /// Returns all refunds of one payment, oldest first.
    async fn refunds_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Refund>, StoreFailure>;

    /// Returns one page, last changed first.
    async fn search_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
    ) -> Result<Vec<Refund>, StoreFailure>;

    /// Counts the refunds that match the search on all pages, up to `most`.
    async fn count_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
        most: i64,
    ) -> Result<i64, StoreFailure>;

    /// Returns the caller's credentials for a refund, while they are stored.
    async fn refund_credentials(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<SecretText>, StoreFailure>;
}
