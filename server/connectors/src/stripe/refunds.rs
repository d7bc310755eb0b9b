//! Maps Stripe's refunds to outcomes.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Approval, Decline, Outcome};

use super::description::UNITS;
use super::generated::wire::{Refund, RefundFailureReason, RefundStatus};
use super::notes::has_entry;

/// Returns the outcome of a refund; `name` is the metadata member that contains its key.
pub fn named(name: &str, key: &ProcessorKey, refund: Refund) -> Option<Outcome> {
    if !has_entry(refund.metadata.as_ref()?, name, key.as_str()) {
        return None;
    }
    outcome(refund)
}

/// Returns the outcome of a refund, ours or not.
pub fn outcome(refund: Refund) -> Option<Outcome> {
    let (amount_minor, currency) = UNITS.read(refund.amount, &refund.currency)?;
    let reference = Some(refund.id);
    match refund.status? {
        RefundStatus::Succeeded => Some(Outcome::Done(Approval {
            reference,
            amount_minor: Some(amount_minor),
            currency: Some(currency),
            ..Approval::default()
        })),
        RefundStatus::Pending | RefundStatus::RequiresAction => {
            Some(Outcome::Pending { reference })
        }
        RefundStatus::Failed => Some(failed("refund_failed", refund.failure_reason)),
        RefundStatus::Canceled => Some(failed("refund_canceled", refund.failure_reason)),
        RefundStatus::Unknown => None,
    }
}

fn failed(word: &str, reason: Option<String>) -> Outcome {
    let known = reason.as_deref().map(RefundFailureReason::read);
    Outcome::Declined(Decline {
        category: known.and_then(RefundFailureReason::means),
        code: reason.unwrap_or_else(|| word.to_owned()),
        message: "the refund did not reach the payer".to_owned(),
        reason: Some(word.to_owned()),
        // The bank returned the money of a successful refund. The refund stays failed.
        takes_back: true,
        ..Decline::default()
    })
}
