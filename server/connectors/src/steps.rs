//! Operations that take several requests, of which only the last one has an effect.

use std::collections::BTreeMap;
use std::future::Future;

use multirail_outbound::Upload;
use multirail_sdk::connector::{Approval, FileInFull, NoPlace, Outcome, UnknownReason};
use multirail_sdk::evidence::EvidenceItem;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use crate::client::Answer;
use crate::outcome::of_operation;
use crate::wire::{Body, WireAnswer};

/// Makes a step before the last one, until `end`. `what` describes the step's result: "the receipt
/// went up".
///
/// # Errors
/// The outcome of the operation. Nothing is done unless the last request is sent.
pub async fn step<T>(
    end: Instant,
    what: &str,
    asked: impl Future<Output = Result<T, Outcome>>,
) -> Result<T, Outcome> {
    let refused = match timeout_at(end, asked).await {
        Ok(Ok(made)) => return Ok(made),
        Ok(Err(outcome)) => outcome,
        Err(_) => Outcome::Unknown(UnknownReason::Timeout),
    };
    match refused {
        outcome @ (Outcome::Declined(_) | Outcome::NeverHappened { .. }) => Err(outcome),
        Outcome::Done(_)
        | Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. }
        | Outcome::Pending { .. }
        | Outcome::Unknown(_) => Err(Outcome::turned_away(format!(
            "nothing was handed in: it isn't known whether {what}"
        ))),
    }
}

/// Makes the last step and returns the outcome of the operation.
pub async fn last_step(end: Instant, asked: impl Future<Output = Outcome>) -> Outcome {
    let answered = timeout_at(end, asked).await;
    answered.unwrap_or(Outcome::Unknown(UnknownReason::Timeout))
}

/// Returns the id of the object that a step created.
///
/// # Errors
/// The outcome of a step that created no object.
#[expect(
    clippy::result_large_err,
    reason = "the error is the outcome, which is made once for each request"
)]
pub fn made(outcome: Outcome) -> Result<String, Outcome> {
    match outcome {
        Outcome::Done(approval) => approval
            .reference
            .ok_or(Outcome::Unknown(UnknownReason::UnreadableAnswer)),
        other => Err(other),
    }
}

/// Reads the answer to a step that creates an object, with the object's id. `refusal` reads other
/// answers.
///
/// # Errors
/// The outcome of a step that created no object.
#[expect(
    clippy::result_large_err,
    reason = "the error is the outcome, which is made once for each request"
)]
pub fn created<T: DeserializeOwned>(
    answer: Answer,
    refusal: impl FnOnce(&WireAnswer) -> Option<Outcome>,
    id: impl FnOnce(T) -> String,
) -> Result<String, Outcome> {
    made(of_operation(answer, |answer| {
        if answer.status >= 300 {
            return refusal(answer);
        }
        Some(Outcome::Done(Approval {
            reference: Some(id(answer.json()?)),
            ..Approval::default()
        }))
    }))
}

/// Checks that each file of the evidence has its own place at the processor, given items and sizes.
///
/// # Errors
/// The first file that is too large or whose place is already taken.
pub fn check_files(
    given: impl Iterator<Item = (EvidenceItem, i64)>,
    place_of: fn(EvidenceItem) -> &'static str,
    largest: i64,
) -> Result<(), NoPlace> {
    let mut placed: BTreeMap<&'static str, EvidenceItem> = BTreeMap::new();
    for (item, bytes) in given {
        if bytes > largest {
            let why = format!("a file of more than {largest} bytes");
            return Err(NoPlace { item, why });
        }
        if let Some(other) = placed.insert(place_of(item), item) {
            let why = format!("a file beside {other}, whose place it would take");
            return Err(NoPlace { item, why });
        }
    }
    Ok(())
}

/// Returns the body that uploads a file of evidence.
pub async fn evidence_file(file: FileInFull) -> Body {
    let upload = Upload {
        field: "file",
        name: file.file_id.to_string(),
        media_type: file.file_type.as_str(),
        bytes: file.bytes,
    };
    Body::multipart(&[("purpose", "dispute_evidence")], upload).await
}
