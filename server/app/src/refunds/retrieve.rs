//! Read one refund. (`GET /refunds/{refund_id}`)

use multirail_domain::ids::{MerchantId, ProfileId, RefundId};
use multirail_domain::refund::Refund;

use super::super::{App, AppError, Origin};
use super::RefundOfPayment;

impl App {
    /// Reads a refund; with `force_sync` asks the processor first where its outcome is open. `scope` is the profile that the
    /// call is narrowed to.
    ///
    /// # Errors
    /// Unknown refund.
    pub async fn retrieve_refund(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        refund_id: &RefundId,
        force_sync: bool,
    ) -> Result<Refund, AppError> {
        let refund = self.load_refund(merchant_id, scope, refund_id).await?;
        if !force_sync || !refund.is_open_at_processor() {
            return Ok(refund);
        }
        let synced: RefundOfPayment = self.sync(origin, merchant_id, refund_id).await?;
        Ok(synced.refund)
    }
}
