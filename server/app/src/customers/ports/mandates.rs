//! Stored mandates.

use async_trait::async_trait;
use multirail_domain::customers::mandate::{Mandate, MandateStatus, MandateTerms, MandateView};
use multirail_kernel::ids::{CustomerId, MandateId, MerchantId, PaymentId, PaymentMethodId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a mandate.
#[derive(Debug)]
pub enum MandateChange {
    /// Changes nothing where the method is gone because its customer was redacted meanwhile.
    Insert(Box<Mandate>),
    /// Lets the mandate charge another method from now on. Changes nothing where it isn't active any more.
    Renew(Box<Renewed>),
    /// Begins a charge, which uses up a single-use mandate. Conflicts where the mandate isn't active any more.
    Use {
        merchant_id: MerchantId,
        mandate_id: MandateId,
        payment_id: PaymentId,
    },
    /// Makes a single-use mandate usable again after the charge of this payment failed.
    GiveBack {
        merchant_id: MerchantId,
        mandate_id: MandateId,
        payment_id: PaymentId,
    },
    /// Ends the mandate for new charges. Conflicts where its version changed since it was read.
    Revoke(Box<Mandate>),
    /// Revokes all mandates that charge a deleted method.
    RevokeOfMethod {
        merchant_id: MerchantId,
        payment_method_id: PaymentMethodId,
    },
}

/// The changes to a mandate that is renewed.
#[derive(Debug)]
pub struct Renewed {
    pub merchant_id: MerchantId,
    pub mandate_id: MandateId,
    pub customer_id: CustomerId,
    /// The payment with which its payer agreed.
    pub payment_id: PaymentId,
    pub payment_method_id: PaymentMethodId,
    /// Set where the payment gave other limits.
    pub terms: Option<MandateTerms>,
}

/// The filter for a list of mandates. A mandate has to match every member that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MandateSearch {
    pub customer_id: Option<CustomerId>,
    pub payment_method_id: Option<PaymentMethodId>,
    pub status: Option<MandateStatus>,
    /// The name of the first payment's connector.
    pub connector: Option<String>,
    /// The two `_from` members are inclusive, the others exclusive.
    pub created_from: Option<Timestamp>,
    pub created_until: Option<Timestamp>,
    pub created_after: Option<Timestamp>,
    pub created_before: Option<Timestamp>,
    pub limit: i64,
    pub offset: i64,
}

/// Stores mandates. Its views have no consent: see [`ConsentStore`](super::ConsentStore).
#[async_trait]
pub trait MandateStore: Changes<MandateChange> {
    async fn mandate(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<Option<MandateView>, StoreFailure>;

    /// Returns a page of mandates, newest first.
    async fn search_mandates(
        &self,
        merchant_id: &MerchantId,
        search: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure>;

    /// Returns whether the customer has an active mandate that hasn't ended.
    async fn has_active_mandate(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;
}
