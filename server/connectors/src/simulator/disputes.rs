//! Reads and changes disputes of the simulated processor.

use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Approval, DisputeNews, DisputePage, DisputeStatus, EvidenceInFull, Outcome, UnknownReason,
};
use multirail_simulator_wire::{ChallengeBody, DisputeAnswer, DisputeListAnswer, FileBody};

use super::map;
use crate::amounts::counted;
use crate::client::Answer;
use crate::outcome::{of_look_up, of_operation, why_unknown};
use crate::wire::WireAnswer;

/// Returns the state of a dispute; `updated_at` is the time of that state. `None` where it can't be
/// read.
pub(super) fn news(answer: DisputeAnswer, updated_at: Option<Timestamp>) -> Option<DisputeNews> {
    let moment = |told: Option<String>| Timestamp::parse_rfc3339(&told?).ok();
    Some(DisputeNews {
        reference: answer.reference,
        authorization_reference: Some(answer.authorization),
        authorization_key: None,
        stage: answer.stage.parse().ok()?,
        status: answer.status.parse().ok()?,
        processor_status: answer.status,
        rank: 0,
        money: Money::new(counted(answer.amount)?, answer.currency.parse().ok()?),
        reason: answer.reason,
        reason_code: answer.reason_code,
        challenge_required_by: moment(answer.challenge_required_by),
        opened_at: moment(answer.opened_at),
        updated_at: moment(answer.updated_at).or(updated_at),
    })
}

/// Returns the outcome of an action: done if the dispute has reached the expected status.
pub(super) fn acted(reference: &str, stands: DisputeStatus, answer: Answer) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        200 => {
            let dispute = read(reference, answer)?;
            (dispute.status == stands).then(|| {
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

/// Reads the answer to a look-up of one dispute.
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

/// Returns the body of a challenge.
pub(super) fn challenge(evidence: EvidenceInFull) -> ChallengeBody {
    let texts = evidence.texts.into_iter();
    let files = evidence.files.into_iter();
    ChallengeBody {
        texts: texts
            .map(|one| (one.item.as_str().to_owned(), one.text))
            .collect(),
        files: files
            .map(|file| FileBody {
                name: file.item.as_str().to_owned(),
                file_type: file.file_type.as_str().to_owned(),
                bytes: i64::try_from(file.bytes.len()).unwrap_or(i64::MAX),
            })
            .collect(),
    }
}

/// Reads the answer to the request for a list of disputes.
pub(super) fn listed(answer: Answer) -> Result<DisputePage, UnknownReason> {
    let mut page = None;
    let failed = of_look_up(answer, |answer| {
        if answer.status == 200 {
            page = answer.json::<DisputeListAnswer>();
        }
        None
    });
    let page = page.ok_or_else(|| why_unknown(failed))?;
    let disputes = page.disputes.into_iter();
    Ok(DisputePage {
        disputes: disputes.filter_map(|one| news(one, None)).collect(),
        next: page.next,
    })
}

/// Reads a 200 answer. It must be about this dispute.
fn read(reference: &str, answer: &WireAnswer) -> Option<DisputeNews> {
    let answer: DisputeAnswer = answer.json()?;
    news(answer, None).filter(|news| news.reference == reference)
}
