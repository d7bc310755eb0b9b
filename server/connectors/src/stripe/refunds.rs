//! Maps Stripe's refunds to outcomes.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Approval, Decline, Outcome};

use super::categories;
use super::description::UNITS;
use super::map::has;
use super::wire::{Refund, RefundStatus};

/// Returns the outcome of a refund; `name` is the metadata member that contains its key.
pub fn named(name: &str, key: &ProcessorKey, refund: Refund) -> Option<Outcome> {
    if !has(refund.metadata.as_ref()?, name, key.as_str()) {
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
        status @ (RefundStatus::Failed | RefundStatus::Canceled) => {
            let word = if status == RefundStatus::Failed {
                "refund_failed"
            } else {
                "refund_canceled"
            };
            let reason = refund.failure_reason;
            Some(Outcome::Declined(Decline {
                category: reason.as_deref().and_then(categories::of_refund),
                code: reason.unwrap_or_else(|| word.to_owned()),
                message: "the refund did not reach the payer".to_owned(),
                reason: Some(word.to_owned()),
                // The bank returned the money of a successful refund. The refund stays failed.
                takes_back: true,
                ..Decline::default()
            }))
        }
        RefundStatus::New => None,
    }
}
