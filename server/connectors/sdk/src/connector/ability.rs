//! The abilities that only some connectors have. The description names them, and each name leads to
//! the code: a connector can't describe an ability that it doesn't implement.

use std::any::Any;

use async_trait::async_trait;

use crate::connector::{
    AcceptDisputeRequest, ChallengeDisputeRequest, CompleteAuthorizationRequest, Connector,
    DeleteKeptRequest, DisputeAt, DisputeNews, DisputePage, IncrementRequest, KeepCustomerRequest,
    ListDisputesRequest, News, NoPlace, OpenSessionRequest, Outcome, PaymentAt, SessionOpening,
    UnknownReason, VoidRequest,
};
use crate::evidence::Evidence;

/// The way from a connector to the code of one of its abilities. Callers use
/// `dyn Connector::able`, and descriptions [`provided_by`].
pub type Ability<T> = fn(&dyn Connector) -> Option<&T>;

/// A connector with the ability `T`.
pub trait Provides<T: ?Sized>: Connector {
    /// Returns the code of the ability.
    fn provide(&self) -> &T;
}

/// Returns the code of an ability of `C`, or `None` for another connector.
pub fn provided_by<C: Provides<T>, T: ?Sized>(connector: &dyn Connector) -> Option<&T> {
    let connector: &dyn Any = connector;
    connector.downcast_ref::<C>().map(C::provide)
}

/// Makes every connector that implements one of these traits provide it.
macro_rules! provide {
    ($($ability:ident),+ $(,)?) => {$(
        impl<C: Connector + $ability> Provides<dyn $ability> for C {
            fn provide(&self) -> &(dyn $ability + 'static) {
                self
            }
        }
    )+};
}

provide!(
    CapturedVoids,
    Customers,
    Deletions,
    DeviceData,
    DisputeAcceptance,
    DisputeChallenges,
    DisputeLists,
    DisputeLookUps,
    Increments,
    PaymentHistory,
    WalletSessions,
);

/// Authorizations that need data of the payer's device in between.
#[async_trait]
pub trait DeviceData: Send + Sync {
    /// Continues an authorization that was answered with `DeviceDataNeeded`. It is called in no
    /// other case.
    async fn complete_authorization(&self, request: CompleteAuthorizationRequest) -> Outcome;
}

/// Authorizations that can be raised.
#[async_trait]
pub trait Increments: Send + Sync {
    /// Raises the authorized amount of an authorization that was requested as one that may be
    /// raised.
    async fn increment(&self, request: IncrementRequest) -> Outcome;
}

/// Voids after the capture.
#[async_trait]
pub trait CapturedVoids: Send + Sync {
    /// Voids everything that was captured, before settlement, and releases the rest of the
    /// authorization.
    async fn void_captured(&self, request: VoidRequest) -> Outcome;
}

/// The history of a payment at the processor.
#[async_trait]
pub trait PaymentHistory: Send + Sync {
    /// Returns everything that was done to a payment so far, including operations that others
    /// started. Each item is as reliable as a notice. Returns an empty list if the processor
    /// doesn't answer. So an empty list proves nothing.
    async fn look_over(&self, payment: PaymentAt) -> Vec<News>;
}

/// Customers at the processor, for whom it stores instruments.
#[async_trait]
pub trait Customers: Send + Sync {
    /// Creates the customer for whom instruments are stored, and returns the processor's id.
    ///
    /// # Errors
    /// The reason why it is unknown whether the customer exists.
    async fn keep_customer(&self, request: KeepCustomerRequest) -> Result<String, UnknownReason>;
}

/// Deletions of stored instruments and customers.
#[async_trait]
pub trait Deletions: Send + Sync {
    /// Deletes a stored instrument or customer at the processor, so that it can't be charged again.
    ///
    /// # Errors
    /// The reason why it is unknown whether the object is deleted.
    async fn delete_stored(&self, request: DeleteKeptRequest) -> Result<(), UnknownReason>;
}

/// Disputes that merchants can accept.
#[async_trait]
pub trait DisputeAcceptance: Send + Sync {
    /// Accepts a dispute.
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome;
}

/// Disputes that merchants can challenge.
#[async_trait]
pub trait DisputeChallenges: Send + Sync {
    /// Checks whether the processor accepts every item of this evidence. It is called before
    /// evidence is stored or sent.
    ///
    /// # Errors
    /// The first item that the processor doesn't accept.
    fn has_places(&self, evidence: &Evidence) -> Result<(), NoPlace>;

    /// Sends evidence against a dispute.
    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome;
}

/// Look-ups of disputes.
#[async_trait]
pub trait DisputeLookUps: Send + Sync {
    /// Asks for the state of a dispute.
    ///
    /// # Errors
    /// The reason why the state is unknown.
    async fn find_dispute(&self, dispute: DisputeAt) -> Result<DisputeNews, UnknownReason>;
}

/// Lists of disputes.
#[async_trait]
pub trait DisputeLists: Send + Sync {
    /// Lists one page of the disputes. Disputes that can't be read are left out.
    ///
    /// # Errors
    /// The reason why the list is unknown.
    async fn list_disputes(
        &self,
        request: ListDisputesRequest,
    ) -> Result<DisputePage, UnknownReason>;
}

/// Wallet sessions that the processor opens.
#[async_trait]
pub trait WalletSessions: Send + Sync {
    /// Opens a session of a wallet that the description lists.
    async fn open_session(&self, request: OpenSessionRequest) -> SessionOpening;
}
