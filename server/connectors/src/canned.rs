//! Prepared answers in place of a processor.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_simulator_wire as simulator_wire;

use crate::client::Answer;
use crate::wire::WireAnswer;

/// The separator of two answers in an input.
const SEPARATOR: &[u8] = b"\n===\n";

/// Prepared answers. The last one is repeated.
#[derive(Clone, Debug)]
pub(crate) struct Canned {
    answers: Arc<Mutex<Vec<Canning>>>,
    /// The bodies of requests.
    heard: Arc<Mutex<Vec<Bytes>>>,
}

/// Status and body.
type Canning = (u16, Vec<u8>);

impl Canned {
    /// Reads the answers of an input. Each is a line with the status, and a body.
    pub(crate) fn read(input: &[u8]) -> Self {
        let mut answers = Vec::new();
        let mut rest = input;
        while let Some(at) = rest
            .windows(SEPARATOR.len())
            .position(|here| here == SEPARATOR)
        {
            answers.push(answer(&rest[..at]));
            rest = &rest[at + SEPARATOR.len()..];
        }
        answers.push(answer(rest));
        answers.reverse();
        Canned {
            answers: Arc::new(Mutex::new(answers)),
            heard: Arc::default(),
        }
    }

    pub(crate) fn hear(&self, body: &Bytes) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(body.clone());
    }

    /// Returns the bodies of all requests.
    #[cfg(test)]
    pub(crate) fn heard(&self) -> Vec<Bytes> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.clone()
    }

    fn take(&self) -> Canning {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        match answers.as_slice() {
            [last] => last.clone(),
            _ => answers.pop().unwrap_or_default(),
        }
    }

    pub(crate) fn next(&self) -> Answer {
        let (status, body) = self.take();
        Ok(WireAnswer {
            status,
            headers: HeaderMap::from_iter([(
                HeaderName::from_static("retry-after"),
                HeaderValue::from_static("7"),
            )]),
            body,
        })
    }

    /// Returns a copy that starts with the first answer and is used up separately.
    pub(super) fn restarted(&self) -> Self {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        Canned {
            answers: Arc::new(Mutex::new(answers.clone())),
            heard: Arc::default(),
        }
    }

    /// Checks whether every answer is a failure of the processor.
    pub(super) fn are_troubles(&self) -> bool {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().all(|(status, _)| *status >= 500)
    }
}

fn answer(input: &[u8]) -> Canning {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, body) = input.split_at(end.unwrap_or(input.len()));
    let status = std::str::from_utf8(line).ok();
    let status = status.and_then(|line| line.trim().parse().ok());
    // HTTP has no other statuses.
    let status = status.filter(|status| (100..=599).contains(status));
    match status {
        Some(status) => (status, body.get(1..).unwrap_or_default().to_vec()),
        None => (200, input.to_vec()),
    }
}

#[async_trait]
impl simulator_wire::Transport for Canned {
    async fn send(
        &self,
        _request: simulator_wire::WireRequest,
    ) -> Result<simulator_wire::WireResponse, simulator_wire::TransportError> {
        let (status, body) = self.take();
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(simulator_wire::WireResponse { status, body })
    }
}
