//! The operations on refunds. (Facts 7.8)

mod aggregate;
pub mod content;
pub mod create;
pub mod list;
mod operated;
pub mod retrieve;
pub mod update;

use std::sync::Arc;

use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::{MerchantId, ProfileId, RefundId};
use multirail_kernel::refusal::{Object, Refusal};

use crate::AppError;
use crate::operations::driver::Driver;
use crate::operations::processors::Processors;
use crate::operations::questions::Questions;
use crate::payments::ports::{PaymentOwners, PaymentStore, RefundStore};
use crate::platform::base::Base;

pub(crate) use aggregate::{RefundOfPayment, Step};
pub(crate) use operated::reported_refund;

/// The use cases of refunds.
pub struct Refunds {
    pub base: Arc<Base>,
    pub driver: Arc<Driver>,
    pub processors: Arc<Processors>,
    pub store: Arc<dyn RefundStore>,
    pub payments: Arc<dyn PaymentStore>,
    pub owners: Arc<dyn PaymentOwners>,
    pub content: Arc<dyn content::RefundContent>,
    pub questions: Arc<Questions>,
    /// The literal path segments that stand in the place of a refund's id. No caller may choose them as ids.
    pub reserved_ids: &'static [&'static str],
}

impl Refunds {
    /// Loads a refund of the merchant. Refunds outside the call's scope are not found.
    async fn find(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        refund_id: &RefundId,
    ) -> Result<Refund, AppError> {
        let refund = self.store.refund(merchant_id, refund_id).await?;
        refund
            .filter(|refund| scope.is_none_or(|scope| refund.profile_id == *scope))
            .ok_or_else(|| Refusal::not_found(Object::Refund).into())
    }
}
