//! Operations that take several requests, of which only the last one has an effect.

use std::future::Future;

use multirail_outbound::Upload;
use multirail_sdk::connector::{FileInFull, Outcome, UnknownReason};
use tokio::time::{Instant, timeout_at};

use crate::wire::Body;

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
