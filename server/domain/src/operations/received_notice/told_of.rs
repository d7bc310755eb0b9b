//! Where a notice comes from, and what it is worth.

use multirail_kernel::ids::{ConnectorAccountId, ProcessorKey, ProfileId};
use multirail_sdk::connector::{Fact, Outcome};

/// Where a notice comes from: the account whose secret proves it, and its connector.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    pub account: &'a ConnectorAccountId,
    /// The account's.
    pub profile: &'a ProfileId,
    pub connector: &'a str,
}

/// What of a payment or refund a notice tells.
#[derive(Clone, Debug, PartialEq)]
pub enum ToldOf {
    /// What became of an operation, as good as an answer.
    Fact(Fact),
    /// That there is something to ask about the operation of this key.
    Hint(ProcessorKey),
    /// The same of an operation that was begun with credentials that were brought along: what a stored account's secret
    /// proves is not what became of it.
    HintOfBrought {
        key: ProcessorKey,
        said: Option<Outcome>,
    },
    /// Something that wasn't asked for here.
    NotAskedFor,
    /// It was asked for through another account, which has no say.
    AnotherAccount,
}
