//! What a processor takes in several requests, and what counts with the last of them alone.

use std::future::Future;

use multirail_outbound::Upload;
use multirail_sdk::connector::{FileInFull, Outcome, UnknownReason};
use tokio::time::{Instant, timeout_at};

use crate::wire::Body;

/// A step before the last, which ends by `end`. `what` is what is to be known after it: "the receipt went up".
///
/// # Errors
/// The outcome of the whole. As long as the last request isn't sent, nothing was done.
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

/// The last step, whose outcome is that of the whole.
pub async fn last_step(end: Instant, asked: impl Future<Output = Outcome>) -> Outcome {
    let answered = timeout_at(end, asked).await;
    answered.unwrap_or(Outcome::Unknown(UnknownReason::Timeout))
}

/// The id of what a step made.
///
/// # Errors
/// The outcome of a step that made nothing with an id.
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

/// A file of evidence on its way to where files go up.
pub async fn evidence_file(file: FileInFull) -> Body {
    let upload = Upload {
        field: "file",
        name: file.file_id.to_string(),
        media_type: file.file_type.as_str(),
        bytes: file.bytes,
    };
    Body::multipart(&[("purpose", "dispute_evidence")], upload).await
}
