//! The sender of a notice, and how far the server trusts it.

use multirail_kernel::ids::{ConnectorAccountId, ProcessorKey, ProfileId};
use multirail_sdk::connector::{Fact, Outcome};

/// The sender of a notice: the account whose secret proves it, and its connector.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    pub account: &'a ConnectorAccountId,
    /// The account's profile.
    pub profile: &'a ProfileId,
    pub connector: &'a str,
}

/// The content of a notice about a payment or refund.
#[derive(Clone, Debug, PartialEq)]
pub enum ToldOf {
    /// The result of an operation, as trustworthy as an answer to a call.
    Fact(Fact),
    /// A reason to ask the processor about the operation with this key.
    Hint(ProcessorKey),
    /// A reason to ask about an operation that used credentials of the request. A stored account's secret doesn't prove its
    /// result.
    HintOfBrought {
        key: ProcessorKey,
        said: Option<Outcome>,
    },
    /// An operation that this server didn't request.
    NotAskedFor,
    /// An operation that was requested through another account. This sender can't prove its result.
    AnotherAccount,
}
