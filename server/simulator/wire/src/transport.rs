//! How wire requests reach the simulated processor. The connector behaves as if it were in another process, whether it
//! is or not.

use async_trait::async_trait;

use crate::{WireRequest, WireResponse};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// Nothing was sent: there was no connection to send it on.
    NotSent,
    /// The connection broke after something may have been sent.
    Broken,
    /// The deadline passed.
    TimedOut,
    /// The answer is longer than any answer should be.
    TooLong,
}

/// Carries one request there and its answer back.
#[async_trait]
pub trait Transport: Send + Sync {
    /// The answer of any status; an error only when there is none. The caller keeps the deadline.
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError>;
}
