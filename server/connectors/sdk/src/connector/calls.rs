//! The interface of a connector. Each connector speaks one processor's language; the rest of
//! multirail knows only requests and outcomes.

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

/// A connection to one processor.
///
/// The calls never return an error for a failed operation and never panic. Every failure is an
/// [`Outcome`]:
/// - `Declined`: the processor gave a definite "no", also when it refuses the credentials or the
///   request.
/// - `NeverHappened`: the request certainly never reached the processor.
/// - `Unknown`: the request was sent and no answer can be trusted (too late, cut off, 5xx,
///   unreadable). In doubt, a connector returns this: outcomes are never guessed.
///
/// Each call has its own deadline, well under a minute. Every request carries a key that was stored
/// before the call. A request may be repeated under its key, and the processor executes it once.
#[async_trait]
pub trait Connector: Send + Sync {
    /// Returns the connector's description, which is data: name, credentials, capabilities.
    fn description(&self) -> &'static Description;

    /// Returns the version of the processor's API that the connector speaks, if the API has
    /// versions.
    fn api_version(&self) -> Option<&'static str> {
        None
    }

    /// Authorizes a payment, and captures it in the same step if the request says so.
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome;

    /// Creates the customer for whom instruments are stored, and returns the processor's id. It is
    /// only called if the capabilities include it.
    ///
    /// # Errors
    /// The reason why it is unknown whether the customer exists.
    async fn keep_customer(&self, _request: KeepCustomerRequest) -> Result<String, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// Deletes a stored instrument or customer at the processor, so that it can't be charged again.
    ///
    /// # Errors
    /// The reason why it is unknown whether the object is deleted.
    async fn delete_stored(&self, _request: DeleteKeptRequest) -> Result<(), UnknownReason> {
        Ok(())
    }

    /// Continues an authorization that was answered with `DeviceDataNeeded`. It is called in no
    /// other case.
    async fn complete_authorization(&self, _request: CompleteAuthorizationRequest) -> Outcome {
        Outcome::never_happened("the connector asks for no device data")
    }

    /// Raises the authorized amount. It is only called if the capabilities include it, for an
    /// authorization that was requested as one that may be raised.
    async fn increment(&self, _request: IncrementRequest) -> Outcome {
        Outcome::never_happened("the connector can't raise authorizations")
    }

    /// Captures all or part of an authorization.
    async fn capture(&self, request: CaptureRequest) -> Outcome;

    /// Releases an authorization that isn't captured. Returns money that was captured together with
    /// the authorization.
    async fn void(&self, request: VoidRequest) -> Outcome;

    /// Voids everything that was captured, before settlement, and releases the rest of the
    /// authorization. It is only called if the description's abilities include it.
    async fn void_captured(&self, _request: VoidRequest) -> Outcome {
        Outcome::never_happened("the connector can't void what was captured")
    }

    /// Refunds all or part of the captured amount.
    async fn refund(&self, request: RefundRequest) -> Outcome;

    /// Looks up the result of an earlier request.
    ///
    /// `Absent` is only returned when the processor itself states that it has no trace of the
    /// request. The description's `recovery` says what that proves. A failed look-up is `Unknown`
    /// and says nothing about the operation. Look-ups are made where the operation's recovery is a
    /// look-up, and whenever a payer returns.
    async fn look_up(&self, request: LookUpRequest) -> Finding;

    /// Accepts a dispute. It is only called if the description's abilities include it.
    async fn accept_dispute(&self, _request: AcceptDisputeRequest) -> Outcome {
        Outcome::never_happened("the connector can't accept disputes")
    }

    /// Checks whether the processor accepts every item of this evidence. It is called before
    /// evidence is stored or sent.
    ///
    /// # Errors
    /// The first item that the processor doesn't accept.
    fn has_places(&self, _evidence: &Evidence) -> Result<(), NoPlace> {
        Ok(())
    }

    /// Sends evidence against a dispute. It is only called if the description's abilities include
    /// it.
    async fn challenge_dispute(&self, _request: ChallengeDisputeRequest) -> Outcome {
        Outcome::never_happened("the connector can't challenge disputes")
    }

    /// Asks for the state of a dispute. It is only called if the description's abilities include
    /// it.
    ///
    /// # Errors
    /// The reason why the state is unknown.
    async fn find_dispute(&self, _dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// Lists one page of the disputes. Disputes that can't be read are left out. It is only called
    /// if the description's abilities include it.
    ///
    /// # Errors
    /// The reason why the list is unknown.
    async fn list_disputes(
        &self,
        _request: ListDisputesRequest,
    ) -> Result<DisputePage, UnknownReason> {
        Err(UnknownReason::UnreadableAnswer)
    }

    /// Verifies that a notice comes from the processor: one of the account's secrets signed these
    /// bytes. If the signature has a time, it must be recent. `wall` is wall time, because
    /// processors sign by their clocks.
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        wall: Timestamp,
    ) -> bool;

    /// Reads a verified notice, in its order. News about other things than payments and refunds is
    /// not an error. A part that can't be read becomes [`News::Unreadable`] among the others.
    ///
    /// # Errors
    /// [`Unreadable`]
    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable>;

    /// Returns everything that was done to a payment so far, including operations that others
    /// started. Each item is as reliable as a notice. Returns an empty list if the processor's API
    /// has no such request, or doesn't answer. So an empty list proves nothing.
    async fn look_over(&self, _payment: PaymentAt) -> Vec<News> {
        Vec::new()
    }

    /// Splits a verified notice into the parts that are filed separately. By default the one part
    /// is the whole body, which also serves as its identity.
    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }

    /// Returns the body of our answer to a notice, for processors that require one.
    fn notice_answer(&self) -> &'static str {
        ""
    }

    /// Opens a wallet session. It is only called for wallets in the description's abilities.
    async fn open_session(&self, _request: OpenSessionRequest) -> SessionOpening {
        SessionOpening::Refused {
            message: "the connector opens no sessions".to_owned(),
        }
    }

    /// Asks the processor whether it accepts the credentials. This moves no money.
    async fn check(&self, access: Access) -> AccountCheck;
}

/// The connectors that this server has, by name.
pub trait ConnectorDirectory: Send + Sync {
    /// Returns the connector of this name, if it is built and allowed here.
    fn find(&self, name: &str) -> Option<Arc<dyn Connector>>;

    /// Returns the description of the connector of this name, if it is built, even where it isn't
    /// allowed.
    fn describe(&self, name: &str) -> Option<&'static Description>;

    /// Returns every name that [`ConnectorDirectory::find`] finds, in a fixed order.
    fn names(&self) -> Vec<&'static str>;
}
