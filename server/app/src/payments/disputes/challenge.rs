//! Submits evidence against a dispute. (`POST /disputes/evidence`)

use std::collections::BTreeMap;

use multirail_domain::payments::dispute::{Command, DisputeActionKind, EvidenceItem};
use multirail_kernel::ids::{DisputeId, MerchantId, ProfileId};

use super::{DisputeView, Disputes};
use crate::payments::check_not_redacted;
use crate::{AppError, Origin};

impl Disputes {
    /// Asks the processor to challenge the dispute with the given and the earlier evidence.
    ///
    /// # Errors
    /// As [`Disputes::accept`]; an item with personal data of a redacted customer; an invalid item, or one that the
    /// processor doesn't accept; no evidence at all.
    pub async fn challenge(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
        given: BTreeMap<EvidenceItem, String>,
    ) -> Result<DisputeView, AppError> {
        if given.keys().any(|item| item.tells_of_customer()) {
            let dispute = self.find(merchant_id, scope, dispute_id).await?;
            check_not_redacted(&*self.customers, merchant_id, dispute.customer_id.as_ref()).await?;
        }
        let kind = DisputeActionKind::Challenge;
        let challenge = || Command::Challenge {
            given: given.clone(),
        };
        self.act(origin, merchant_id, scope, dispute_id, kind, challenge)
            .await
    }
}
