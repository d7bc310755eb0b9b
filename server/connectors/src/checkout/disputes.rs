//! Reads Checkout.com's disputes and the answers to dispute actions.

use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Approval, DisputeNews, Outcome, UnknownReason};

use super::description::UNITS;
use super::errors;
use super::generated::wire::{Dispute, DisputeEvent, DisputeStatus};
use crate::client::Answer;
use crate::outcome::{of_operation, thing, why_unknown};

/// The path segment of disputes.
pub const DISPUTES: &str = "disputes";
/// Returns the state of a dispute after an event, or `None` if it can't be read.
pub fn from_event(
    event: DisputeEvent,
    status_word: DisputeStatus,
    told_at: Option<Timestamp>,
) -> Option<DisputeNews> {
    let (stage, status) = status_word.means()?;
    Some(DisputeNews {
        reference: event.id,
        authorization_reference: Some(event.payment_id),
        authorization_key: None,
        stage,
        status,
        processor_status: status_word.as_str().to_owned(),
        rank: 0,
        money: money(event.amount, &event.currency)?,
        reason: event.category,
        reason_code: event.reason_code,
        challenge_required_by: moment(event.evidence_required_by.as_deref()),
        opened_at: None,
        updated_at: told_at,
    })
}

/// Returns the outcome of an acceptance.
pub fn accepted(answer: Answer) -> Outcome {
    done(answer, Some(DisputeStatus::Accepted))
}

/// Returns the outcome of an action, whose answer has no body. `stands` is Checkout.com's word for
/// the dispute's new state.
pub fn done(answer: Answer, stands: Option<DisputeStatus>) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        204 => Some(Outcome::Done(Approval {
            processor_status: stands.map(|word| word.as_str().to_owned()),
            ..Approval::default()
        })),
        200..=299 => None,
        404 => errors::no_dispute(answer),
        _ => errors::refusal(answer),
    })
}

/// Reads the answer to a look-up of this dispute.
///
/// # Errors
/// The reason why the state is unknown.
pub fn found(id: &str, answer: Answer) -> Result<DisputeNews, UnknownReason> {
    let dispute: Dispute = thing(answer).map_err(why_unknown)?;
    let news = news(dispute).filter(|news| news.reference == id);
    news.ok_or(UnknownReason::UnreadableAnswer)
}

fn news(dispute: Dispute) -> Option<DisputeNews> {
    let (stage, status) = DisputeStatus::read(&dispute.status).means()?;
    Some(DisputeNews {
        reference: dispute.id,
        authorization_reference: Some(dispute.payment.id),
        authorization_key: None,
        stage,
        status,
        processor_status: dispute.status,
        rank: 0,
        money: money(dispute.amount, &dispute.currency)?,
        reason: dispute.category,
        reason_code: dispute.reason_code,
        challenge_required_by: moment(dispute.evidence_required_by.as_deref()),
        opened_at: moment(dispute.received_on.as_deref()),
        updated_at: moment(dispute.last_update.as_deref()),
    })
}

fn money(amount: i64, currency: &str) -> Option<Money> {
    let (amount_minor, currency) = UNITS.read(amount, currency)?;
    Some(Money::new(amount_minor, currency.parse().ok()?))
}

fn moment(text: Option<&str>) -> Option<Timestamp> {
    Timestamp::parse_rfc3339(text?).ok()
}
