//! The transport to a processor in the same process.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_simulator_wire::{Transport, TransportError, WireRequest, WireResponse};

use crate::processor::{Processor, Reply};

/// A transport to a processor in this process.
pub struct InProcess {
    processor: Arc<Processor>,
}

impl InProcess {
    /// Creates the transport.
    pub fn new(processor: Arc<Processor>) -> Self {
        InProcess { processor }
    }
}

#[async_trait]
impl Transport for InProcess {
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        // The call takes well under a millisecond and never waits for a disk, so it needs no other
        // thread.
        let reply = self.processor.handle(request);
        // The delay follows the execution: a caller that gives up can't know whether the request
        // was executed, as in reality.
        let delay = self.processor.script().delay();
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match reply {
            Reply::Answer(response) => Ok(response),
            Reply::HangUp => Err(TransportError::Broken),
            // A real wait until the deadline would only slow tests.
            Reply::Silence => Err(TransportError::TimedOut),
        }
    }
}
