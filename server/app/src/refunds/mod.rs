//! What can be done with refunds. (Facts 7.8)

mod aggregate;
pub mod content;
pub mod create;
pub mod list;
pub mod retrieve;
pub mod update;

use multirail_domain::ids::{MerchantId, ProfileId, RefundId};
use multirail_domain::refund::Refund;
use multirail_domain::refusal::{Object, Refusal};

use super::{App, AppError};

pub(crate) use aggregate::{RefundOfPayment, Step};

impl App {
    /// Loads a refund of the merchant; one of another profile than the call is narrowed to does not exist.
    async fn load_refund(
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
