//! Stripe's disputes: where they stand, and what it answers to a merchant who gives in.

use multirail_domain::connector::{Approval, DisputeNews, OperationKind, Outcome, UnknownReason};
use multirail_domain::dispute::{DisputeStage, DisputeStatus};
use multirail_domain::money::Money;
use multirail_domain::timestamp::Timestamp;

use super::errors;
use super::requests::UNITS;
use super::wire::{Dispute, ErrorAnswer};
use crate::client::Answer;
use crate::outcome::{thing, why_unknown};
use crate::wire::WireAnswer;

/// How a dispute stands, told or asked for; `updated_at` is when it came to stand so. `None` where it can't be read.
pub fn news(dispute: Dispute, updated_at: Option<Timestamp>) -> Option<DisputeNews> {
    let (stage, status) = stands(&dispute.status)?;
    let (amount_minor, currency) = UNITS.told(dispute.amount, &dispute.currency)?;
    let due_by = dispute.evidence_details.and_then(|details| details.due_by);
    let moment = |seconds: i64| Timestamp::EPOCH.plus_seconds(seconds);
    Some(DisputeNews {
        reference: dispute.id,
        authorization_reference: dispute.payment_intent,
        authorization_key: None,
        stage,
        status,
        processor_status: dispute.status,
        money: Money::new(amount_minor, currency.parse().ok()?),
        reason: dispute.reason,
        reason_code: dispute.network_reason_code,
        challenge_required_by: due_by.and_then(moment),
        opened_at: moment(dispute.created),
        updated_at,
    })
}

/// Stripe has one word for stage and status. Its warnings are inquiries, and those that come to nothing are closed.
fn stands(word: &str) -> Option<(DisputeStage, DisputeStatus)> {
    use DisputeStage::{Dispute, PreDispute};
    match word {
        "warning_needs_response" => Some((PreDispute, DisputeStatus::Opened)),
        "warning_under_review" => Some((PreDispute, DisputeStatus::Challenged)),
        "warning_closed" | "prevented" => Some((PreDispute, DisputeStatus::Cancelled)),
        "needs_response" => Some((Dispute, DisputeStatus::Opened)),
        "under_review" => Some((Dispute, DisputeStatus::Challenged)),
        "won" => Some((Dispute, DisputeStatus::Won)),
        "lost" => Some((Dispute, DisputeStatus::Lost)),
        _ => None,
    }
}

/// The answer to a merchant who gives in: Stripe calls such a dispute lost.
pub fn closed(answer: &WireAnswer) -> Option<Outcome> {
    if answer.status >= 400 {
        let ErrorAnswer { error } = answer.json()?;
        // Of a dispute no authorization can be gone.
        return errors::outcome(OperationKind::Refund, &error);
    }
    let dispute: Dispute = answer.json()?;
    let (_, status) = stands(&dispute.status)?;
    match status {
        DisputeStatus::Lost | DisputeStatus::Accepted => Some(Outcome::Done(Approval {
            processor_status: Some(dispute.status),
            ..Approval::default()
        })),
        // It isn't given up: how it stands is asked.
        DisputeStatus::Opened
        | DisputeStatus::Expired
        | DisputeStatus::Cancelled
        | DisputeStatus::Challenged
        | DisputeStatus::Won => None,
    }
}

/// The answer to a question how a dispute stands.
///
/// # Errors
/// Why nothing is known of it.
pub fn found(answer: Answer) -> Result<DisputeNews, UnknownReason> {
    let dispute = thing(answer).map_err(why_unknown)?;
    news(dispute, None).ok_or(UnknownReason::UnreadableAnswer)
}
