//! Mandates at rest.

use async_trait::async_trait;
use multirail_domain::customers::mandate::{Mandate, MandateStatus, MandateTerms, MandateView};
use multirail_kernel::ids::{CustomerId, MandateId, MerchantId, PaymentId, PaymentMethodId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a mandate.
#[derive(Debug)]
pub enum MandateChange {
    /// Changes nothing where its method isn't there: its customer was forgotten meanwhile.
    Insert(Box<Mandate>),
    /// It charges another method from now on. Changes nothing where it isn't active any more.
    Renew(Box<Renewed>),
    /// A charge under it begins, which uses up one for a single use. A conflict where it isn't active any more.
    Use {
        merchant_id: MerchantId,
        mandate_id: MandateId,
        payment_id: PaymentId,
    },
    /// The one charge that it was for, by this payment, has come to nothing.
    GiveBack {
        merchant_id: MerchantId,
        mandate_id: MandateId,
        payment_id: PaymentId,
    },
    /// Nobody may charge it any more. A conflict where the version moved since it was read.
    Revoke(Box<Mandate>),
    /// The same of whatever charges a method that is deleted.
    RevokeOfMethod {
        merchant_id: MerchantId,
        payment_method_id: PaymentMethodId,
    },
}

/// By what a mandate is changed.
#[derive(Debug)]
pub struct Renewed {
    pub merchant_id: MerchantId,
    pub mandate_id: MandateId,
    pub customer_id: CustomerId,
    /// The payment by which its payer agreed.
    pub payment_id: PaymentId,
    pub payment_method_id: PaymentMethodId,
    /// Where other limits were said.
    pub terms: Option<MandateTerms>,
}

/// Which mandates are listed. All that is said has to fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MandateSearch {
    pub customer_id: Option<CustomerId>,
    pub payment_method_id: Option<PaymentMethodId>,
    pub status: Option<MandateStatus>,
    /// The connector of the first payment, by its name.
    pub connector: Option<String>,
    /// The two that are named from belong to what is listed, the others don't.
    pub created_from: Option<Timestamp>,
    pub created_until: Option<Timestamp>,
    pub created_after: Option<Timestamp>,
    pub created_before: Option<Timestamp>,
    pub limit: i64,
    pub offset: i64,
}

/// Its views have no consent: see [`ConsentStore`](super::ConsentStore).
#[async_trait]
pub trait MandateStore: Changes<MandateChange> {
    async fn mandate(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<Option<MandateView>, StoreFailure>;

    /// The newest first.
    async fn search_mandates(
        &self,
        merchant_id: &MerchantId,
        search: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure>;

    /// Whether the customer has an active one whose end has not come.
    async fn has_active_mandate(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure>;
}
