//! How wire requests reach the simulated processor. The connector behaves as if it were in another process, whether it
//! is or not.

use std::sync::Arc;

use async_trait::async_trait;

use super::processor::{Processor, Reply};
use super::wire::{WireRequest, WireResponse};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// Nothing was sent: there was no connection to send it on.
    NotSent,
    /// The connection broke after something may have been sent.
    Broken,
    /// The deadline passed.
    TimedOut,
}

/// Carries one request there and its answer back.
#[async_trait]
pub trait Transport: Send + Sync {
    /// The answer of any status; an error only when there is none. The caller keeps the deadline.
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError>;
}

/// To a processor in this process.
pub struct InProcess {
    processor: Arc<Processor>,
}

impl InProcess {
    /// To this processor.
    pub fn new(processor: Arc<Processor>) -> Self {
        InProcess { processor }
    }
}

#[async_trait]
impl Transport for InProcess {
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        // Well under a millisecond, and never waiting for a disk: not worth another thread.
        let reply = self.processor.handle(request);
        // The wait comes after the deed: who gives up meanwhile doesn't know that it was done, as in life.
        let delay = self.processor.script().delay();
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match reply {
            Reply::Answer(response) => Ok(response),
            Reply::HangUp => Err(TransportError::Broken),
            // Waiting for the deadline would teach nobody anything.
            Reply::Silence => Err(TransportError::TimedOut),
        }
    }
}
