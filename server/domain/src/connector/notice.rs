//! What a processor tells unasked.

use super::{OperationKind, Outcome};
use crate::ids::ProcessorKey;
use crate::timestamp::Timestamp;

/// What came in, byte for byte: signatures are over these.
#[derive(Clone, Debug)]
pub struct RawNotice {
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl RawNotice {
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(own, _)| own == name);
        named.next().map(|(_, value)| value.as_str())
    }
}

/// One thing that a processor tells, proved to come from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The processor's id of it, the same whenever it is repeated.
    pub id: String,
    /// The processor's own word for what is told; operators are shown it.
    pub kind: String,
    /// When it happened, by the processor's clock.
    pub happened_at: Option<Timestamp>,
    pub news: News,
}

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// What became of an operation, in words as good as an answer's.
    Outcome { about: About, outcome: Outcome },
    /// Something changed, and the processor has to be asked what: the content isn't signed, or doesn't say enough.
    Hint { about: About },
    /// Nothing that concerns payments or refunds.
    Nothing,
}

/// The operation that a notice is about, in as many of its names as the notice has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub kind: OperationKind,
    /// Our own name of it, where the processor hands it back.
    pub key: Option<ProcessorKey>,
    /// The processor's.
    pub reference: Option<String>,
    /// The processor's name of the authorization that it belongs to.
    pub authorization_reference: Option<String>,
}

/// Why a notice can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeRefusal {
    /// Nothing proves that it comes from the processor.
    NotVerified,
    /// It comes from the processor and can't be read.
    Unreadable,
}
