//! The way to the payment processors. One connector speaks one processor's language; the rest of multirail only knows
//! requests and outcomes.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::connector::{
    AuthorizeRequest, Capabilities, CaptureRequest, LookUpRequest, Outcome, RefundRequest,
    VoidRequest,
};

/// One processor.
///
/// The calls never return an error and never panic: whatever goes wrong is an [`Outcome`].
/// - The processor's definite "no" is `Declined`, also when it refuses our credentials or our request.
/// - What certainly never reached it is `NeverHappened`.
/// - What was sent and has no answer that can be trusted (too late, cut off, 5xx, unreadable) is `Unknown`. When in
///   doubt between this and anything else, it is this: an outcome is never guessed.
///
/// Each call ends within a deadline of its own, well under a minute. Every request carries a key that was stored before
/// the call; a request with the same key may come again, and the processor does it once.
#[async_trait]
pub trait Connector: Send + Sync {
    /// What the processor can do.
    fn capabilities(&self) -> Capabilities;

    /// Approve and reserve, and take at once where the request says so.
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome;

    /// Take all or part of what was authorized.
    async fn capture(&self, request: CaptureRequest) -> Outcome;

    /// Release what was authorized and not captured; give back what was taken together with the authorization.
    async fn void(&self, request: VoidRequest) -> Outcome;

    /// Give back all or part of what was captured of an authorization, with it or after it.
    async fn refund(&self, request: RefundRequest) -> Outcome;

    /// What became of an earlier request. `NeverHappened` only when the processor itself says that it has no trace of
    /// it; a look-up that fails is `Unknown` and says nothing about the operation.
    async fn look_up(&self, request: LookUpRequest) -> Outcome;
}

/// The connectors that this server has, by name.
pub trait ConnectorDirectory: Send + Sync {
    /// The connector of this name, if it is built and allowed here.
    fn find(&self, name: &str) -> Option<Arc<dyn Connector>>;

    /// Every name that [`ConnectorDirectory::find`] finds, in a fixed order.
    fn names(&self) -> Vec<&'static str>;
}
