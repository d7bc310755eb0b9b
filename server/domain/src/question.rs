//! What a processor is to be asked about, and when.

use crate::ids::ProcessorKey;
use crate::timestamp::Timestamp;
use crate::words::words;

words! {
    /// Why a processor is asked about an operation.
    pub enum Why {
        /// Its call is under way or was cut off.
        Started = "started",
        /// The payer is at the processor's page.
        AwaitingCustomer = "awaiting_customer",
        /// The processor will tell later.
        Pending = "pending",
        /// It was sent, and there was no answer that can be trusted.
        Unknown = "unknown",
        /// The processor has no trace of it, which a request that is slow on its way may change.
        MayStillArrive = "may_still_arrive",
        /// It came to nothing and is asked for once more.
        AskedForAgain = "asked_for_again",
        /// Credentials that were brought for it are still kept, and nothing is left to do with them.
        KeepsCredentials = "keeps_credentials",
    }
}

impl Why {
    /// The operation has no final answer.
    pub fn is_unresolved(self) -> bool {
        match self {
            Why::Started
            | Why::AwaitingCustomer
            | Why::Pending
            | Why::Unknown
            | Why::AskedForAgain => true,
            Why::MayStillArrive | Why::KeepsCredentials => false,
        }
    }
}

/// The next question about one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    pub about: &'a ProcessorKey,
    pub due_at: Timestamp,
    pub why: Why,
}
