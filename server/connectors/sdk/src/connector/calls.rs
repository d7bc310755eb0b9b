//! The interface of every connector. Each connector speaks one processor's language; the rest of
//! multirail knows only requests and outcomes. `ability.rs` has the interfaces that only some
//! connectors implement.

use std::any::Any;
use std::sync::Arc;

use multirail_kernel::timestamp::Timestamp;

use crate::connector::{
    Ability, Access, AccountCheck, AuthorizeRequest, Capabilities, CaptureRequest, Description,
    Finding, LookUpRequest, Notice, NoticePart, Outcome, RawNotice, RefundRequest, Unreadable,
    VoidRequest, WebhookSecrets,
};
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
pub trait Connector: Any + Payments + Notices {
    /// Returns the connector's description, which is data: name, credentials, capabilities.
    fn description(&self) -> &'static Description;

    /// Asks the processor whether it accepts the credentials. This moves no money.
    async fn check(&self, access: Access) -> AccountCheck;
}

impl dyn Connector {
    /// Returns the code of an ability, if the connector's description has the ability.
    pub fn able<T: ?Sized>(
        &self,
        ability: impl FnOnce(&Capabilities) -> Option<Ability<T>>,
    ) -> Option<&T> {
        ability(&self.description().capabilities).and_then(|find| find(self))
    }
}

/// Payments, from the authorization to the refund.
#[async_trait]
pub trait Payments: Send + Sync {
    /// Authorizes a payment, and captures it in the same step if the request says so.
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome;

    /// Captures all or part of an authorization.
    async fn capture(&self, request: CaptureRequest) -> Outcome;

    /// Releases an authorization that isn't captured. Returns money that was captured together with
    /// the authorization.
    async fn void(&self, request: VoidRequest) -> Outcome;

    /// Refunds all or part of the captured amount.
    async fn refund(&self, request: RefundRequest) -> Outcome;

    /// Looks up the result of an earlier request.
    ///
    /// `Absent` is only returned when the processor itself states that it has no trace of the
    /// request. The description's `recovery` says what that proves. A failed look-up is `Unknown`
    /// and says nothing about the operation. Look-ups are made where the operation's recovery is a
    /// look-up, and whenever a payer returns.
    async fn look_up(&self, request: LookUpRequest) -> Finding;
}

/// Notices from the processor.
pub trait Notices: Send + Sync {
    /// Verifies that a notice comes from the processor: one of the account's secrets signed these
    /// bytes. If the signature has a time, it must be recent. `wall` is wall time, because
    /// processors sign by their clocks.
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        wall: Timestamp,
    ) -> bool;

    /// Splits a verified notice into the parts that are filed separately.
    /// [`NoticePart::whole`] is the one part of a notice that isn't a list.
    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart>;

    /// Reads a verified notice, in its order. News about other things than payments and refunds is
    /// not an error. A part that can't be read becomes [`News::Unreadable`] among the others.
    ///
    /// [`News::Unreadable`]: crate::connector::News::Unreadable
    ///
    /// # Errors
    /// [`Unreadable`]
    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable>;
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

    /// Returns the description of every connector for which accounts can be created here, in a
    /// fixed order.
    fn descriptions(&self) -> Vec<&'static Description> {
        let names = self.names().into_iter();
        names.filter_map(|name| self.describe(name)).collect()
    }
}
