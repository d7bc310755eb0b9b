//! The same request again, after its first try came to nothing: confirming once more.

use multirail_kernel::ids::PaymentId;

use super::super::Origin;
use super::Payments;
use crate::platform::idempotency::{Claim, Commits};

impl Claim {
    /// Whether its request may have begun to confirm a payment.
    pub(crate) fn may_confirm(&self) -> bool {
        match self.commits {
            Commits::One => false,
            Commits::Several { of: _, is_resumed } => is_resumed,
        }
    }
}

impl Payments {
    /// The payment that the request is to confirm once more, if it is one of those.
    pub(super) fn resumed(&self, origin: &Origin) -> Option<PaymentId> {
        let resumed = origin.claim.as_ref()?.resumes.get()?;
        PaymentId::parse(&resumed.object_id).ok()
    }
}
