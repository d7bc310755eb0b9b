//! Disputes of the simulated processor, told and asked for.

use multirail_domain::connector::{Approval, DisputeNews, Outcome, UnknownReason};
use multirail_domain::dispute::DisputeStatus;
use multirail_domain::money::Money;
use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::DisputeAnswer;

use super::map;
use crate::client::Answer;
use crate::outcome::{of_look_up, of_operation, why_unknown};
use crate::wire::WireAnswer;

/// How a dispute stands; `updated_at` is when it came to stand so. `None` where it can't be read.
pub(super) fn news(answer: DisputeAnswer, updated_at: Option<Timestamp>) -> Option<DisputeNews> {
    let by = answer.challenge_required_by.as_deref();
    Some(DisputeNews {
        reference: answer.reference,
        authorization_reference: Some(answer.authorization),
        authorization_key: None,
        stage: answer.stage.parse().ok()?,
        status: answer.status.parse().ok()?,
        processor_status: answer.status,
        money: Money::new(answer.amount, answer.currency.parse().ok()?),
        reason: answer.reason,
        reason_code: answer.reason_code,
        challenge_required_by: by.and_then(|by| Timestamp::parse_rfc3339(by).ok()),
        opened_at: None,
        updated_at,
    })
}

/// The answer to a merchant who gives in.
pub(super) fn accepted(reference: &str, answer: Answer) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        200 => {
            let dispute = read(reference, answer)?;
            (dispute.status == DisputeStatus::Accepted).then(|| {
                Outcome::Done(Approval {
                    processor_status: Some(dispute.processor_status),
                    ..Approval::default()
                })
            })
        }
        400..=499 => map::refused(answer),
        _ => None,
    })
}

/// The answer to a question.
pub(super) fn found(reference: &str, answer: Answer) -> Result<DisputeNews, UnknownReason> {
    let mut dispute = None;
    let failed = of_look_up(answer, |answer| {
        if answer.status == 200 {
            dispute = read(reference, answer);
        }
        None
    });
    dispute.ok_or_else(|| why_unknown(failed))
}

/// What a 200 says: about this dispute, or not to be trusted.
fn read(reference: &str, answer: &WireAnswer) -> Option<DisputeNews> {
    let answer: DisputeAnswer = answer.json()?;
    news(answer, None).filter(|news| news.reference == reference)
}
