//! Accepts a dispute. (`POST /disputes/accept/{dispute_id}`)

use multirail_domain::payments::dispute::{Command, DisputeActionKind};
use multirail_kernel::ids::{DisputeId, MerchantId, ProfileId};

use super::{DisputeView, Disputes};
use crate::{AppError, Origin};

impl Disputes {
    /// Asks the processor to accept the dispute.
    ///
    /// # Errors
    /// An unknown dispute; one that can't be accepted in its state, or through its connector (nothing is stored then);
    /// a processor that refuses.
    pub async fn accept(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
    ) -> Result<DisputeView, AppError> {
        let kind = DisputeActionKind::Accept;
        let accept = || Command::Accept;
        self.act(origin, merchant_id, scope, dispute_id, kind, accept)
            .await
    }
}
