//! The processor in the same process as who asks it.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_simulator_wire::{Transport, TransportError, WireRequest, WireResponse};

use crate::processor::{Processor, Reply};

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
