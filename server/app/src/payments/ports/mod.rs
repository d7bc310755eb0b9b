//! Payments at rest.

pub mod disputes;
pub mod held;
pub mod merchant_sessions;
pub mod payer_pages;
pub mod payment_owners;
pub mod payment_search;
pub mod redactions;
pub mod refunds;
pub mod wallet_opener;

pub use disputes::{DisputeChange, DisputeSearch, DisputeStore};
pub use held::{HeldChange, HeldStore};
pub use merchant_sessions::MerchantSessions;
pub use payer_pages::PayerPages;
pub use payment_owners::PaymentOwners;
pub use payment_search::PaymentSearch;
pub use redactions::RedactionStore;
pub use refunds::{RefundChange, RefundSearch, RefundStore};
pub use wallet_opener::WalletOpener;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::replay::ObjectClass;

/// The class of payments.
pub const PAYMENT: ObjectClass = ObjectClass::new("payment");

/// A change of a payment with its attempts and captures.
#[derive(Debug)]
pub enum PaymentChange {
    Insert(Arc<Payment>),
    /// A conflict where the version moved since `before` was read.
    Update {
        before: Arc<Payment>,
        after: Arc<Payment>,
    },
    /// Stores nothing: a conflict where the version moved. What else is stored was decided on the payment as it stood.
    Unchanged {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        version: i64,
    },
    /// Deletes one of which no processor was ever asked anything, with its only attempt: the request that made it is refused.
    /// A conflict where the version moved.
    Delete(Arc<Payment>),
}

#[async_trait]
pub trait PaymentStore: Changes<PaymentChange> + Send + Sync {
    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure>;

    /// One page, newest first unless the search says otherwise.
    async fn search_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure>;

    /// How many payments fit the search, on all pages; `most` where it is as many or more. Counting ends there.
    async fn count_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
        most: i64,
    ) -> Result<i64, StoreFailure>;

    /// Payments of the merchant for which money may be reserved, or of which something is open at the processor, by id from
    /// behind `after` on.
    async fn payments_held_or_open(
        &self,
        merchant_id: &MerchantId,
        after: Option<&PaymentId>,
        limit: i64,
    ) -> Result<Vec<Payment>, StoreFailure>;
}
