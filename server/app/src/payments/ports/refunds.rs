//! Refunds at rest.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::replay::ObjectClass;

/// The class of refunds.
pub const REFUND: ObjectClass = ObjectClass::new("refund");

/// A change of a refund. The change of its payment stands beside it in the change-set.
#[derive(Debug)]
pub enum RefundChange {
    Insert {
        refund: Arc<Refund>,
        sums: RefundSums,
    },
    /// A conflict where the version moved since `before` was read. The sums are stored where the payment counts the refund
    /// otherwise than before.
    Update {
        before: Arc<Refund>,
        after: Arc<Refund>,
        sums: RefundSums,
    },
    /// Keeps, sealed, the credentials that were brought along for the refund.
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

/// What the refunds of a payment come to after the change, in minor units. The database refuses more than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundSums {
    /// Given back, or perhaps still to be.
    pub refunded: i64,
    pub limit: i64,
}

/// Which refunds, and which page of them. Every condition that is set has to hold; an empty list holds always.
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

    /// All refunds of one payment, the oldest first.
    async fn refunds_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Refund>, StoreFailure>;

    /// One page, the last changed first.
    async fn search_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
    ) -> Result<Vec<Refund>, StoreFailure>;

    /// How many refunds fit the search, on all pages; `most` where it is as many or more. Counting ends there.
    async fn count_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
        most: i64,
    ) -> Result<i64, StoreFailure>;

    /// The credentials that were brought along for a refund and are still kept.
    async fn refund_credentials(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<SecretText>, StoreFailure>;
}
