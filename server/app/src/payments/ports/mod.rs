//! Stored payments.

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
use crate::platform::ports::object_class::ObjectClass;

/// The class of payments.
pub const PAYMENT: ObjectClass = ObjectClass::new("payment");

/// A change of a payment with its attempts and captures.
#[derive(Debug)]
pub enum PaymentChange {
    Insert(Arc<Payment>),
    /// Conflicts where the version changed since `before` was read.
    Update {
        before: Arc<Payment>,
        after: Arc<Payment>,
    },
    /// Stores nothing; conflicts where the version changed. Other changes of the change-set depend on the payment's
    /// state.
    Unchanged {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        version: i64,
    },
    /// Deletes a payment that no processor was asked about, with its only attempt, because its request is refused.
    /// Conflicts where the version changed.
    Delete(Arc<Payment>),
}

#[async_trait]
pub trait PaymentStore: Changes<PaymentChange> + Send + Sync {
    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure>;

    /// Returns one page, newest first unless the search says otherwise.
    async fn search_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure>;

    /// Counts the payments that match the search on all pages, up to `most`.
    async fn count_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
        most: i64,
    ) -> Result<i64, StoreFailure>;

    /// Returns payments of the merchant that may have a reservation or an open operation, by id behind `after`.
    async fn payments_held_or_open(
        &self,
        merchant_id: &MerchantId,
        after: Option<&PaymentId>,
        limit: i64,
    ) -> Result<Vec<Payment>, StoreFailure>;
}
