//! Repeats calls that failed in transport, if a repetition is harmless.

use std::time::Instant;

use chrono::Utc;
use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Request, Response};
use uuid::Uuid;

use crate::answers::{self, WholeResponse};
use crate::error::{is_busy, is_claimed, is_passing};
use crate::generated::client::TAKES_IDEMPOTENCY_KEY;
use crate::retries::{Retries, retry_after};
use crate::{Client, SendError};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

impl ClientHooks<Retries> for Client {
    /// Gives the call an idempotency key, unless it has one or can't use one. All tries carry the same key.
    async fn pre<E>(
        &self,
        request: &mut Request,
        operation: &OperationInfo,
    ) -> Result<(), SendError<E>> {
        let takes_key = TAKES_IDEMPOTENCY_KEY.contains(&operation.operation_id);
        if takes_key && !request.headers().contains_key(IDEMPOTENCY_KEY) {
            let key = Uuid::new_v4().to_string();
            let value = HeaderValue::try_from(key)
                .map_err(|error| SendError::InvalidRequest(error.to_string()))?;
            request.headers_mut().insert(IDEMPOTENCY_KEY, value);
        }
        Ok(())
    }

    /// Sends the call, repeats it if a try got lost or was postponed, and makes every answer readable.
    async fn exec(
        &self,
        request: Request,
        _operation: &OperationInfo,
    ) -> reqwest::Result<Response> {
        let mut request = request;
        let tries = if is_harmless(&request) {
            self.inner.tries
        } else {
            1
        };
        let started = Instant::now();
        let mut tried = 1;
        // A try that may have taken effect. If later tries don't reach the service, the caller must learn of this one.
        let mut in_doubt = None;
        loop {
            let next = (tries > 1).then(|| request.try_clone()).flatten();
            let outcome = answers::ask(&self.client, request).await;
            let Some(failure) = Failure::from_outcome(&outcome) else {
                return outcome.map(Into::into);
            };
            let is_waited_for =
                failure == Failure::Claimed && started.elapsed() < self.inner.claim_patience;
            let next = next.filter(|_| tried < tries || is_waited_for);
            let draw = Uuid::new_v4().as_u64_pair().1;
            let pause = self.inner.wait(tried, asked_for(&outcome), draw);
            let (Some(next), Some(pause)) = (next, pause) else {
                let told = match failure {
                    Failure::InDoubt | Failure::Claimed => outcome,
                    Failure::Undone => in_doubt.unwrap_or(outcome),
                };
                return told.map(Into::into);
            };
            if failure != Failure::Undone {
                in_doubt = Some(outcome);
            }
            tokio::time::sleep(pause).await;
            request = next;
            tried = tried.saturating_add(1);
        }
    }
}

/// Checks whether repeating the request is harmless.
fn is_harmless(request: &Request) -> bool {
    request.method() == Method::GET || request.headers().contains_key(IDEMPOTENCY_KEY)
}

/// A failed try that may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// The try had no effect.
    Undone,
    /// The try may have taken effect.
    InDoubt,
    /// An earlier try is still being processed, or its server died.
    Claimed,
}

impl Failure {
    fn from_outcome(outcome: &reqwest::Result<WholeResponse>) -> Option<Self> {
        let answer = match outcome {
            Ok(answer) => answer,
            Err(error) if error.is_builder() => return None,
            Err(error) if error.is_connect() => return Some(Failure::Undone),
            Err(_) => return Some(Failure::InDoubt),
        };
        let (status, code) = (answer.status(), answer.code.as_str());
        if is_busy(status, code) {
            Some(Failure::Undone)
        } else if is_claimed(status, code) {
            Some(Failure::Claimed)
        } else if !is_passing(status) {
            None
        } else if status.is_server_error() {
            Some(Failure::InDoubt)
        } else {
            Some(Failure::Undone)
        }
    }
}

fn asked_for(outcome: &reqwest::Result<WholeResponse>) -> Option<std::time::Duration> {
    let value = outcome.as_ref().ok()?.headers().get(RETRY_AFTER)?;
    retry_after(value.to_str().ok()?, Utc::now())
}
