//! Confirms a payment once more, for the repeat of a request that had no effect.

use multirail_kernel::ids::PaymentId;

use super::super::Origin;
use super::Payments;
use crate::platform::idempotency::{Claim, Commits};

impl Claim {
    /// Returns whether its request may have begun to confirm a payment.
    pub(crate) fn may_confirm(&self) -> bool {
        match self.commits {
            Commits::One => false,
            Commits::Several { of: _, is_resumed } => is_resumed,
        }
    }
}

impl Payments {
    /// Returns the payment that a repeated request confirms once more, if any.
    pub(super) fn resumed(&self, origin: &Origin) -> Option<PaymentId> {
        let resumed = origin.claim.as_ref()?.resumes.get()?;
        PaymentId::parse(&resumed.object_id).ok()
    }
}
