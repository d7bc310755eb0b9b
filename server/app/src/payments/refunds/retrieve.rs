//! Reads one refund. (`GET /refunds/{refund_id}`)

use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::{MerchantId, ProfileId, RefundId};
use multirail_kernel::refusal::Object;

use super::{RefundOfPayment, Refunds};
use crate::operations::questions::{About, Asker};
use crate::{AppError, Origin};

impl Refunds {
    /// Reads a refund. With `force_sync` it asks the processor first where the outcome is open. `scope` is the profile
    /// that the call is narrowed to.
    ///
    /// # Errors
    /// An unknown refund.
    pub async fn retrieve(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        refund_id: &RefundId,
        force_sync: bool,
    ) -> Result<Refund, AppError> {
        let refund = self.find(merchant_id, scope, refund_id).await?;
        if !force_sync || !refund.is_open_at_processor() {
            return Ok(refund);
        }
        let about = About::new(Object::Refund, merchant_id, refund_id.as_str());
        match self
            .questions
            .turn(about, Asker::from_actor(&origin.actor))
            .await
        {
            Some(_question) => {
                let synced: RefundOfPayment = self
                    .driver
                    .sync(self, origin, merchant_id, refund_id)
                    .await?;
                Ok(synced.refund)
            }
            None => self.find(merchant_id, scope, refund_id).await,
        }
    }
}
