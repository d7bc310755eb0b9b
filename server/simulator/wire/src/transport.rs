//! The transport of wire requests to the simulated processor. The connector treats every processor
//! as a remote one.

use async_trait::async_trait;

use crate::{WireRequest, WireResponse};

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// Nothing was sent, because no connection was open.
    NotSent,
    /// The connection broke after something may have been sent.
    Broken,
    /// The deadline passed.
    TimedOut,
    /// The answer is longer than the limit.
    TooLong,
}

/// A transport, which sends one request and returns its answer.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Returns the answer with any status, or an error if there is none. The caller enforces the
    /// deadline.
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError>;
}
