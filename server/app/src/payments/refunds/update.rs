//! Changes the reason or metadata of a refund. (`POST /refunds/{refund_id}`)

use multirail_domain::payments::refund::{Command, Input, Metadata, Refund};
use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, ProfileId, RefundId};

use super::{RefundOfPayment, Refunds};
use crate::{AppError, Origin};

/// The request, translated. Absent members stay as they are.
#[derive(Debug)]
pub struct UpdateRefund {
    pub merchant_id: MerchantId,
    /// The profile that the call is narrowed to.
    pub scope: Option<ProfileId>,
    pub refund_id: RefundId,
    pub reason: Option<String>,
    pub metadata: Option<Metadata>,
}

impl Refunds {
    /// Stores the given members. The processor gets no request.
    ///
    /// # Errors
    /// An unknown refund, or another reason for the refund of an excess.
    pub async fn update(&self, origin: &Origin, request: UpdateRefund) -> Result<Refund, AppError> {
        let UpdateRefund {
            merchant_id,
            scope,
            refund_id,
            reason,
            metadata,
        } = request;
        // A refund never changes its profile.
        self.find(&merchant_id, scope.as_ref(), &refund_id).await?;
        let update = |before: &RefundOfPayment, context: &Context| {
            before.refund.check_reason(reason.as_deref())?;
            let update = Input::Command(Command::Update {
                reason: reason.clone(),
                metadata: metadata.clone(),
            });
            Ok(before.decide(update, context))
        };
        let stored = self
            .driver
            .commit_decision(self, origin, &merchant_id, &refund_id, update);
        Ok(stored.await?.object.refund)
    }
}
