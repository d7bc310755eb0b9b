//! The way to the payment processors. One connector speaks one processor's language; the rest of multirail only knows
//! requests and outcomes.

use std::sync::Arc;

use multirail_kernel::timestamp::Timestamp;

use crate::connector::{
    AcceptDisputeRequest, Access, AccountCheck, AuthorizeRequest, CaptureRequest,
    ChallengeDisputeRequest, CompleteAuthorizationRequest, DeleteKeptRequest, Description,
    DisputeAt, DisputeNews, DisputePage, Finding, IncrementRequest, KeepCustomerRequest,
    ListDisputesRequest, LookUpRequest, News, NoPlace, Notice, NoticePart, OpenSessionRequest,
    Outcome, PaymentAt, RawNotice, RefundRequest, SessionOpening, UnknownReason, Unreadable,
    VoidRequest, WebhookSecrets,
};
use crate::evidence::Evidence;
use async_trait::async_trait;

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
    /// What can be said about it as data, what the processor can do included.
    fn description(&self) -> &'static Description;

    /// The version of the processor's interface that it speaks, where that has versions.
    fn api_version(&self) -> Option<&'static str> {
        None
    }

    /// Approve and reserve, and take at once where the request says so.
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome;

    /// Make the customer for whom instruments are kept; their id at the processor. It is only asked for where the capabilities have
    /// it. An error says why it isn't known whether there is one.
    async fn keep_customer(&self, _request: KeepCustomerRequest) -> Result<String, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// Delete what the processor keeps, so that nobody charges it any more. An error says why it isn't known whether it is deleted.
    async fn delete_kept(&self, _request: DeleteKeptRequest) -> Result<(), UnknownReason> {
        Ok(())
    }

    /// Go on with an authorization that was answered with `DeviceDataNeeded`: only then it is asked for.
    async fn complete_authorization(&self, _request: CompleteAuthorizationRequest) -> Outcome {
        Outcome::never_happened("the connector asks for no device data")
    }

    /// Raise what was authorized. It is only asked for where the capabilities have it, of an authorization that was asked for
    /// as one that may be raised.
    async fn increment(&self, _request: IncrementRequest) -> Outcome {
        Outcome::never_happened("the connector can't raise authorizations")
    }

    /// Take all or part of what was authorized.
    async fn capture(&self, request: CaptureRequest) -> Outcome;

    /// Release what was authorized and not captured; give back what was taken together with the authorization.
    async fn void(&self, request: VoidRequest) -> Outcome;

    /// Void all that was captured, with the authorization or after it, before it is settled; what is still reserved is
    /// released. It is only asked for where the description's abilities have it.
    async fn void_captured(&self, _request: VoidRequest) -> Outcome {
        Outcome::never_happened("the connector can't void what was captured")
    }

    /// Give back all or part of what was captured of an authorization, with it or after it.
    async fn refund(&self, request: RefundRequest) -> Outcome;

    /// What became of an earlier request. `Absent` only when the processor itself says that it has no trace of it: what
    /// that proves says the description's `recovery`. A look-up that fails is `Unknown` and says nothing about the
    /// operation. It is asked where the recovery of the operation's kind is a look-up, and whenever a payer comes back.
    async fn look_up(&self, request: LookUpRequest) -> Finding;

    /// Give in to a dispute. It is only asked for where the description's abilities have it.
    async fn accept_dispute(&self, _request: AcceptDisputeRequest) -> Outcome {
        Outcome::never_happened("the connector can't accept disputes")
    }

    /// Whether the processor has a place for all of this evidence. It is asked before any of it is kept or handed in.
    ///
    /// # Errors
    /// The first item that it has none for.
    fn has_places(&self, _evidence: &Evidence) -> Result<(), NoPlace> {
        Ok(())
    }

    /// Hand in what speaks against a dispute. It is only asked for where the description's abilities have it.
    async fn challenge_dispute(&self, _request: ChallengeDisputeRequest) -> Outcome {
        Outcome::never_happened("the connector can't challenge disputes")
    }

    /// How a dispute stands; an error says why nothing is known of it. It is only asked where the description's abilities have
    /// it.
    async fn find_dispute(&self, _dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// One page of the disputes that there are; an error says why it isn't known. A dispute that can't be read is left out, and
    /// hides no other. It is only asked where the description's abilities have it.
    async fn list_disputes(
        &self,
        _request: ListDisputesRequest,
    ) -> Result<DisputePage, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// Whether a notice comes from the processor: its signature was made over these bytes with one of the account's secrets,
    /// and lately, where it tells when. `wall` is wall time: signatures are made by the processor's clock.
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        wall: Timestamp,
    ) -> bool;

    /// Reads a verified notice, in its order. News that isn't about payments and refunds is no reason to refuse it; a part
    /// that can't be read is [`News::Unreadable`] beside the others.
    ///
    /// # Errors
    /// [`Unreadable`]
    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable>;

    /// Returns everything that was done to a payment so far, by whomever, in words as good as a notice's. Nothing where the processor can't be asked or
    /// doesn't answer.
    async fn look_over(&self, _payment: PaymentAt) -> Vec<News> {
        Vec::new()
    }

    /// Takes a notice that was verified apart into what is filed one by one. By default that is the whole body, which names
    /// itself: it is what was signed.
    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }

    /// The body with which the processor wants a notice to be accepted, where it wants one.
    fn notice_answer(&self) -> &'static str {
        ""
    }

    /// Open a wallet's session. It is only asked for wallets that the description's abilities have.
    async fn open_session(&self, _request: OpenSessionRequest) -> SessionOpening {
        SessionOpening::Refused {
            message: "the connector opens no sessions".to_owned(),
        }
    }

    /// Asks whether the processor takes the credentials. Nothing of money's is done for it.
    async fn check(&self, access: Access) -> AccountCheck;
}

/// The connectors that this server has, by name.
pub trait ConnectorDirectory: Send + Sync {
    /// The connector of this name, if it is built and allowed here.
    fn find(&self, name: &str) -> Option<Arc<dyn Connector>>;

    /// What can be said about the connector of this name, if it is built, allowed here or not.
    fn describe(&self, name: &str) -> Option<&'static Description>;

    /// Every name that [`ConnectorDirectory::find`] finds, in a fixed order.
    fn names(&self) -> Vec<&'static str>;
}
